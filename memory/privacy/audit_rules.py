"""Rules that audit a person's facts: duplicates, echoes of the assistant, contradictions, facts never recalled. Pure.

A finding is a hint, not a proof: two facts about one subject may both be true.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from db.queries.facts.facts import FactRow
from db.vocabulary import ONE_VALUE, Approval
from memory.consolidation.extraction.drafts import OwnMessage, is_grounded
from memory.facts.consent import is_stated_in
from memory.language.claims.statements import Statement, says_more, says_the_opposite, says_the_same, statement
from memory.language.orders import own_statements
from memory.language.spans import paraphrase_spans, verbatim_spans
from memory.language.terms import key_terms, normalise

NEVER_RECALLED_AFTER = timedelta(days=30)
ENTERED_BY_OWNER = frozenset({Approval.COMMAND, Approval.IMPORT})

Group = tuple[FactRow, ...]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The findings among `facts` facts. The facts of a group belong together."""

    facts: int
    duplicates: Sequence[Group]
    echoes: Sequence[FactRow]
    contradictions: Sequence[Group]
    never_recalled: Sequence[FactRow]


@dataclass(frozen=True, slots=True)
class AuditMessage:
    """A message in the owner's own words (`by_owner`), or one from an assistant or a tool."""

    event_id: str
    by_owner: bool
    text: str
    at: datetime


def find_duplicates(rows: Sequence[FactRow]) -> list[Group]:
    """Return pairs of facts where one says the same as the other, or only a part of it."""
    statements = _statements(rows)
    pairs = {
        (min(one, other), max(one, other))
        for one, other in _may_say_the_same(rows, statements)
        if says_the_same(statements[rows[one].id], statements[rows[other].id])
    }
    return [(rows[one], rows[other]) for one, other in sorted(pairs)]


def find_contradictions(rows: Sequence[FactRow]) -> list[Group]:
    """Return groups of facts that may contradict each other.

    These are different facts about one subject or one single-valued attribute, and pairs with the same key terms of
    which one is negated.
    """
    statements = _statements(rows)
    groups: dict[tuple[str | None, ...], list[FactRow]] = defaultdict(list)
    for row in rows:
        if row.id not in statements:
            continue
        if row.attribute in ONE_VALUE:
            groups[None, row.attribute].append(row)
        elif row.subject:
            groups[normalise(row.subject), row.attribute].append(row)
    contradictions = [group for listed in groups.values() if len(group := _different(listed, statements)) > 1]
    grouped = {frozenset(row.id for row in group) for group in contradictions}
    by_words: dict[frozenset[str], list[FactRow]] = defaultdict(list)
    for row in rows:
        if row.id in statements:
            by_words[statements[row.id].without_negation].append(row)
    for listed in by_words.values():
        listed.sort(key=lambda row: bool(statements[row.id].negations))
        for one, other in pairwise(listed):
            is_reported = any({one.id, other.id} <= group for group in grouped)
            if not is_reported and says_the_opposite(statements[one.id], statements[other.id]):
                contradictions.append((one, other))
    return contradictions


def find_never_recalled(rows: Sequence[FactRow], now: datetime) -> list[FactRow]:
    """Return facts that were stored more than NEVER_RECALLED_AFTER ago and never recalled."""
    return [row for row in rows if row.recall_count == 0 and row.updated_at < now - NEVER_RECALLED_AFTER]


def first_with_current_words(versions: Sequence[FactRow]) -> FactRow:
    """Return the version that introduced the current words of a fact; `versions` are oldest first."""
    first = versions[-1]
    for row in reversed(versions):
        if row.content != first.content:
            break
        first = row
    return first


class EchoFinder:
    """Finds facts that an assistant or a tool said before they were stored, and that their owner never said.

    Messages may be added in any order. Facts that the owner typed as a command or imported are never echoes.
    """

    def __init__(self, rows: Sequence[FactRow], first: Mapping[str, FactRow]) -> None:
        """`first` maps each fact to the version that introduced its words."""
        self._open = {
            row.id: (row, first[row.id], key_terms(row.content))
            for row in rows
            if row.content is not None and first[row.id].approval not in ENTERED_BY_OWNER
        }
        self._repeated: set[str] = set()
        self._by_key: dict[str, list[str]] = defaultdict(list)
        """Fact ids by their rarest key term and by their source event."""
        counts = Counter(term for *_, terms in self._open.values() for term in terms)
        for fact_id, (_, version, terms) in self._open.items():
            for key in (min(terms, key=lambda term: (counts[term], term), default=""), version.source_event_id):
                self._by_key[key or ""].append(fact_id)

    def add(self, message: AuditMessage) -> None:
        terms = key_terms(message.text)
        candidates = {fact_id for key in (*terms, message.event_id) for fact_id in self._by_key.get(key, ())}
        for row, first, fact_terms in [self._open[fact_id] for fact_id in sorted(candidates & self._open.keys())]:
            if message.by_owner:
                is_source = first.source_event_id == message.event_id
                if (fact_terms <= terms and is_stated_in(row.words, message.text)) or (
                    is_source and _states(message, row.words)
                ):
                    del self._open[row.id]
            elif row.id not in self._repeated and fact_terms <= terms and _is_said_before(first, message):
                self._repeated.add(row.id)

    @property
    def echoes(self) -> list[FactRow]:
        return [row for row, *_ in self._open.values() if row.id in self._repeated]


def _states(source: AuditMessage, words: str) -> bool:
    """Whether the source message of a fact states it, possibly in other words."""
    own = own_statements(source.text)
    message = OwnMessage(source.event_id, "\n".join(own), source.at)
    return any(is_grounded(words, each, message) for each in own)


def _is_said_before(first: FactRow, message: AuditMessage) -> bool:
    """Whether this message of an assistant or a tool says the fact before it was stored. Receipts do not count."""
    if message.at > first.updated_at or f"[id:{first.id}]" in message.text:
        return False
    if paraphrase_spans(message.text, first.words):
        return True
    return normalise(first.words) in normalise(message.text) and bool(verbatim_spans(message.text, first.words))


def _statements(rows: Sequence[FactRow]) -> dict[str, Statement]:
    return {row.id: statement(row.content, row.updated_at, row.subject) for row in rows if row.content is not None}


def _may_say_the_same(rows: Sequence[FactRow], statements: Mapping[str, Statement]) -> Iterator[tuple[int, int]]:
    """Yield index pairs of facts where the first may say the same as the second.

    At most a third of the first fact's key terms may be missing from the second. So it is enough to look up the rarest
    third plus one: at least one of them must occur there.
    """
    by_word: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        for word in _words(row, statements):
            by_word[word].append(at)
    for at, row in enumerate(rows):
        words = sorted(_words(row, statements), key=lambda word: (len(by_word[word]), word))
        near = {other for word in words[: len(words) // 3 + 1] for other in by_word[word]}
        yield from ((at, other) for other in sorted(near - {at}))


def _words(row: FactRow, statements: Mapping[str, Statement]) -> Collection[str]:
    own = statements.get(row.id)
    return () if own is None else own.key_terms or (own.normalised,)


def _different(rows: Sequence[FactRow], statements: Mapping[str, Statement]) -> Group:
    """Drop facts that say the same as another one, or only a part of it."""
    kept: list[FactRow] = []
    for row in rows:
        new = statements[row.id]
        if not any(_covers(statements[other.id], new) for other in kept):
            kept = [*(other for other in kept if not _covers(new, statements[other.id])), row]
    return tuple(kept)


def _covers(one: Statement, other: Statement) -> bool:
    return says_the_same(other, one) or says_more(one, other)
