"""Checks the facts that a model extracted: each must be stated in the owner's own words. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, Field

from db.vocabulary import Attribute, Category
from memory.cleaning import visible
from memory.facts.consent import is_stated_in
from memory.facts.facts import LONGEST, SHORTEST, FactDraft
from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.claims.negation import negations_in
from memory.language.orders import own_texts
from memory.language.sentences import MARKS_AT_END, sentence_bounds
from memory.language.spans import source_span
from memory.language.terms import key_terms, normalise
from memory.language.time.dates import annotate_dates
from memory.language.transient import is_transient
from memory.privacy.forgetting.tombstones import canonical_words

LEAST_CONFIDENCE, MAX_DRAFTS = 0.6, 10
GROUNDED = 0.5  # share of a fact's key terms that its quotation must contain
LASTING = frozenset({Category.MILESTONE, Category.PROJECT})  # lasting facts even about a single day; the date is added


class FactForm(BaseModel):
    message: int
    quote: str = Field(max_length=1000)
    content: str = Field(max_length=1000)
    category: Category
    subject: str | None = None
    attribute: Attribute | None = None
    changes: str | None = None
    confidence: float = Field(ge=0, le=1)


class ExtractionForm(BaseModel):
    facts: list[FactForm]


@dataclass(frozen=True, slots=True)
class OwnMessage:
    """A message in its owner's own words; `said_at` is in their time zone."""

    event_id: str
    text: str
    said_at: datetime
    question: str = ""
    """The question it answers, if the message before it asks one."""
    is_secondhand: bool = False
    """Whether it was imported. Its facts are always asked about, in every mode."""


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A checked fact and its message. `undated` is its content before relative dates were made absolute."""

    draft: FactDraft
    undated: str
    message: OwnMessage
    changes: str | None = None


def check_facts(forms: Sequence[FactForm], messages: Mapping[int, OwnMessage]) -> list[ExtractedFact]:
    """Keep lasting facts that quote a message verbatim. Drop duplicates."""
    kept: dict[str, ExtractedFact] = {}
    for fact in forms:
        message = messages.get(fact.message)
        if message is None or fact.confidence < LEAST_CONFIDENCE or len(kept) == MAX_DRAFTS:
            continue
        candidate = _check_fact(fact, message)
        if candidate is not None:
            kept.setdefault(canonical_words(candidate.undated), candidate)
    return list(kept.values())


def is_quoted_from(quote: str, message: str) -> bool:
    """Whether the quote is in the writer's own words, not in what they quote or forward."""
    own = [normalise(part) for part in own_texts(message)]
    parts = [normalise(quote[start:end].strip(MARKS_AT_END)) for start, end in sentence_bounds(quote)]
    return bool(parts) and all(part and any(part in sentence for sentence in own) for part in parts)


def _check_fact(fact: FactForm, message: OwnMessage) -> ExtractedFact | None:
    quote = visible(fact.quote).strip(MARKS_AT_END)
    if len(key_terms(quote)) < 1 or not is_quoted_from(quote, message.text):
        return None
    if fact.attribute != Attribute.IMPORTANT_DATE and fact.category not in LASTING and is_transient(quote):
        return None
    undated = visible(fact.content)
    if not is_grounded(undated, quote, message) or (is_reworded(undated, message) and len(key_terms(quote)) > 1):
        undated = quote
    dated = annotate_dates(undated, message.said_at)
    content = dated if len(dated) <= LONGEST else undated
    if not SHORTEST <= len(undated) <= LONGEST:
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
    return ExtractedFact(draft, undated, message, fact.changes)


def is_grounded(content: str, quote: str, message: OwnMessage) -> bool:
    """Whether a wording matches its quotation: no new names, numbers or dates, the same negations, and at least half
    its key terms."""
    if unsupported_claims(content, [DriftSource(message.text, message.said_at)]) or negations_in(
        content
    ) != negations_in(quote):
        return False
    terms = key_terms(content)
    return is_stated_in(content, quote) or len(terms & key_terms(quote)) >= GROUNDED * len(terms)


def is_reworded(content: str, message: OwnMessage) -> bool:
    """Whether the model used words of its own. They vary between runs, so the owner's are preferred."""
    return not key_terms(content) <= key_terms(message.text) | key_terms(message.question)
