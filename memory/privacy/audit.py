"""Looks for rot in what is remembered: duplicates, echoes of the assistant, contradictions, what nobody needs. Pure.

Rules find it, so a hint is no proof: two facts about one subject may both be true.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from db.queries.facts.facts import FactRow
from db.vocabulary import ONE_VALUE, Approval
from memory.consolidation.extraction.drafts import OwnMessage, is_grounded
from memory.facts.consent import stands_in
from memory.language.claims.statements import Statement, says_more, says_the_opposite, says_the_same, statement
from memory.language.orders import own_statements
from memory.language.spans import in_other_words, word_for_word
from memory.language.terms import plain, telling

NEVER_RECALLED_AFTER = timedelta(days=30)
BY_THEMSELVES = frozenset({Approval.COMMAND, Approval.IMPORT})

Group = tuple[FactRow, ...]


@dataclass(frozen=True, slots=True)
class Rot:
    """What was found among so many facts; groups of two or more belong together."""

    facts: int
    duplicates: Sequence[Group]
    echoes: Sequence[FactRow]
    contradictions: Sequence[Group]
    never_recalled: Sequence[FactRow]


@dataclass(frozen=True, slots=True)
class AuditedMessage:
    """What the owner said in words of their own (`by_owner`), or an assistant or a tool said to them."""

    event_id: str
    by_owner: bool
    text: str
    at: datetime


def duplicates(rows: Sequence[FactRow]) -> list[Group]:
    """Pairs that say the same, or of which one says no more than a part of the other."""
    stated = _statements(rows)
    found = {
        (min(one, other), max(one, other))
        for one, other in _may_say_the_same(rows, stated)
        if says_the_same(stated[rows[one].id], stated[rows[other].id])
    }
    return [(rows[one], rows[other]) for one, other in sorted(found)]


def contradictions(rows: Sequence[FactRow]) -> list[Group]:
    """Those with the same subject, or of one attribute that has one value, in other words; and those with the same
    telling words of which one is negated."""
    stated = _statements(rows)
    groups: dict[tuple[str | None, ...], list[FactRow]] = defaultdict(list)
    for row in rows:
        if row.id not in stated:
            continue
        if row.attribute in ONE_VALUE:
            groups[None, row.attribute].append(row)
        elif row.subject:
            groups[plain(row.subject), row.attribute].append(row)
    found = [group for listed in groups.values() if len(group := _different(listed, stated)) > 1]
    known = {frozenset(row.id for row in group) for group in found}
    by_words: dict[frozenset[str], list[FactRow]] = defaultdict(list)
    for row in rows:
        if row.id in stated:
            by_words[stated[row.id].bare].append(row)
    for listed in by_words.values():
        listed.sort(key=lambda row: bool(stated[row.id].negations))
        for one, other in pairwise(listed):
            is_told = any({one.id, other.id} <= group for group in known)
            if not is_told and says_the_opposite(stated[one.id], stated[other.id]):
                found.append((one, other))
    return found


def never_recalled(rows: Sequence[FactRow], now: datetime) -> list[FactRow]:
    """Told long ago, and never needed since."""
    return [row for row in rows if row.recall_count == 0 and row.updated_at < now - NEVER_RECALLED_AFTER]


def first_told(versions: Sequence[FactRow]) -> FactRow:
    """Of all versions of a fact, oldest first, the one that brought the words that it has now."""
    first = versions[-1]
    for row in reversed(versions):
        if row.content != first.content:
            break
        first = row
    return first


class Echoes:
    """Facts whose words an assistant or a tool said before they were stored, and their owner never did. What was said
    is told one by one, in any order; what the owner typed or loaded as a fact is their own."""

    def __init__(self, rows: Sequence[FactRow], first: Mapping[str, FactRow]) -> None:
        """`first` has the version of each fact that brought its words."""
        self._open = {
            row.id: (row, first[row.id], telling(row.content))
            for row in rows
            if row.content is not None and first[row.id].approval not in BY_THEMSELVES
        }
        self._repeated: set[str] = set()
        self._by_key: dict[str, list[str]] = defaultdict(list)
        """By the rarest of its telling words, and by the message that it came from."""
        counted = Counter(word for *_, told in self._open.values() for word in told)
        for name, (_, brought, told) in self._open.items():
            for key in (min(told, key=lambda word: (counted[word], word), default=""), brought.source_event_id):
                self._by_key[key or ""].append(name)

    def hear(self, heard: AuditedMessage) -> None:
        said = telling(heard.text)
        near = {name for key in (*said, heard.event_id) for name in self._by_key.get(key, ())}
        for row, first, told in [self._open[name] for name in sorted(near & self._open.keys())]:
            if heard.by_owner:
                is_source = first.source_event_id == heard.event_id
                if (told <= said and stands_in(row.words, heard.text)) or (is_source and _tells(heard, row.words)):
                    del self._open[row.id]
            elif row.id not in self._repeated and told <= said and _repeats(first, heard):
                self._repeated.add(row.id)

    @property
    def found(self) -> list[FactRow]:
        return [row for row, *_ in self._open.values() if row.id in self._repeated]


def _tells(heard: AuditedMessage, words: str) -> bool:
    """Whether the message that a fact came from says it, be it in other words."""
    own = own_statements(heard.text)
    message = OwnMessage(heard.event_id, "\n".join(own), heard.at)
    return any(is_grounded(words, each, message) for each in own)


def _repeats(first: FactRow, heard: AuditedMessage) -> bool:
    """Whether an assistant or a tool had said it before; a receipt, which names the fact, comes after it."""
    if heard.at > first.updated_at or f"[id:{first.id}]" in heard.text:
        return False
    if in_other_words(heard.text, first.words):
        return True
    return plain(first.words) in plain(heard.text) and bool(word_for_word(heard.text, first.words))


def _statements(rows: Sequence[FactRow]) -> dict[str, Statement]:
    return {row.id: statement(row.content, row.updated_at, row.subject) for row in rows if row.content is not None}


def _may_say_the_same(rows: Sequence[FactRow], stated: Mapping[str, Statement]) -> Iterator[tuple[int, int]]:
    """The places of two facts of which the first may say what the other does. At most a third of its telling words may
    be missing there, so one of its rarest, a third of them and one more, stands in the other."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        for word in _words(row, stated):
            by_word[word].append(at)
    for at, row in enumerate(rows):
        words = sorted(_words(row, stated), key=lambda word: (len(by_word[word]), word))
        near = {other for word in words[: len(words) // 3 + 1] for other in by_word[word]}
        yield from ((at, other) for other in sorted(near - {at}))


def _words(row: FactRow, stated: Mapping[str, Statement]) -> Collection[str]:
    known = stated.get(row.id)
    return () if known is None else known.telling or (known.letters,)


def _different(rows: Sequence[FactRow], stated: Mapping[str, Statement]) -> Group:
    """Without those that say the same as another, or a part of it."""
    kept: list[FactRow] = []
    for row in rows:
        new = stated[row.id]
        if not any(_covers(stated[other.id], new) for other in kept):
            kept = [*(other for other in kept if not _covers(new, stated[other.id])), row]
    return tuple(kept)


def _covers(one: Statement, other: Statement) -> bool:
    return says_the_same(other, one) or says_more(one, other)
