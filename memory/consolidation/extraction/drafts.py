"""What a model says it found, and what the program lets through: only what stands in the owner's own words. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, Field

from db.vocabulary import Attribute, Category
from memory.cleaning import visible
from memory.facts.consent import stands_in
from memory.facts.facts import LONGEST, SHORTEST, FactDraft
from memory.language.claims.drift import DriftSource, unfounded
from memory.language.claims.negation import negations_of
from memory.language.orders import own_words
from memory.language.sentences import MARKS_AT_END, sentences
from memory.language.spans import source_span
from memory.language.terms import plain, telling
from memory.language.time.dates import with_dates
from memory.language.transient import passes
from memory.privacy.forgetting.tombstones import essence

LEAST_CONFIDENCE, MOST_DRAFTS = 0.6, 10
GROUNDED = 0.5  # share of the telling words of a fact that must stand in its quotation
LASTING = frozenset({Category.MILESTONE, Category.PROJECT})  # may be about a day, and is told with its date


class FoundFact(BaseModel):
    message: int
    quote: str = Field(max_length=1000)
    content: str = Field(max_length=1000)
    category: Category
    subject: str | None = None
    attribute: Attribute | None = None
    changes: str | None = None
    confidence: float = Field(ge=0, le=1)


class Found(BaseModel):
    """What was found in some messages."""

    facts: list[FoundFact]


@dataclass(frozen=True, slots=True)
class OwnMessage:
    """A message of the owner's, in their own words; `said_at` in their time zone."""

    event_id: str
    text: str
    said_at: datetime
    question: str = ""
    """What it answers, where the message before it asks something."""
    is_secondhand: bool = False
    """Whether it came by another hand: what it tells is asked about, whatever its owner chose."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact that its owner has told, with the message. `bare` is its content before dates were made absolute."""

    draft: FactDraft
    bare: str
    message: OwnMessage
    changes: str | None = None


def checked(found: Sequence[FoundFact], messages: Mapping[int, OwnMessage]) -> list[Finding]:
    """Those that quote a message of the owner's, letter for letter, and last; of the same said twice the first."""
    kept: dict[str, Finding] = {}
    for fact in found:
        message = messages.get(fact.message)
        if message is None or fact.confidence < LEAST_CONFIDENCE or len(kept) == MOST_DRAFTS:
            continue
        finding = _finding(fact, message)
        if finding is not None:
            kept.setdefault(essence(finding.bare), finding)
    return list(kept.values())


def is_quoted_from(quote: str, message: str) -> bool:
    """Whether these words stand in what the writer says themselves: not in what they quote, announce or pass on."""
    own = [plain(part) for part in own_words(message)]
    parts = [plain(quote[start:end].strip(MARKS_AT_END)) for start, end in sentences(quote)]
    return bool(parts) and all(part and any(part in said for said in own) for part in parts)


def _finding(fact: FoundFact, message: OwnMessage) -> Finding | None:
    quote = visible(fact.quote).strip(MARKS_AT_END)
    if len(telling(quote)) < 1 or not is_quoted_from(quote, message.text):
        return None
    if fact.attribute != Attribute.IMPORTANT_DATE and fact.category not in LASTING and passes(quote):
        return None
    bare = visible(fact.content)
    if not is_grounded(bare, quote, message) or (is_reworded(bare, message) and len(telling(quote)) > 1):
        bare = quote
    dated = with_dates(bare, message.said_at)
    content = dated if len(dated) <= LONGEST else bare
    if not SHORTEST <= len(bare) <= LONGEST:
        return None
    draft = FactDraft(
        content=content,
        category=fact.category,
        subject=fact.subject,
        attribute=fact.attribute,
        source_event_id=message.event_id,
        span=source_span(message.text, quote),
        author="assistant",
    )
    return Finding(draft, bare, message, fact.changes)


def is_grounded(content: str, quote: str, message: OwnMessage) -> bool:
    """Whether a wording says what the quotation does: no other name, number or day, no "not" more or less, and mostly
    its words."""
    if unfounded(content, [DriftSource(message.text, message.said_at)]) or negations_of(content) != negations_of(quote):
        return False
    told = telling(content)
    return stands_in(content, quote) or len(told & telling(quote)) >= GROUNDED * len(told)


def is_reworded(content: str, message: OwnMessage) -> bool:
    """Whether it has words of the model's own, which change from one time to the next: the owner's tell it better, and
    are known again."""
    return not telling(content) <= telling(message.text) | telling(message.question)
