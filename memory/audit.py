"""Looks for rot in what is remembered: duplicates, echoes of the assistant, contradictions, what nobody needs. Pure.

Rules find it, so a hint is no proof: two facts about one subject may both be true.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from db.queries.facts import FactRow
from db.vocabulary import Approval
from memory.consent import stands_in
from memory.extraction.drafts import OwnMessage, is_grounded
from memory.facts import ONE_VALUE
from memory.orders import own_statements
from memory.privacy.repeats import places
from memory.retrieval.languages import plain, telling
from memory.statements import Statement, says_more, says_the_opposite, says_the_same, statement

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
class Heard:
    """What the owner said in words of their own (`by_owner`), or an assistant or a tool said to them."""

    event_id: str
    by_owner: bool
    text: str
    at: datetime


def duplicates(rows: Sequence[FactRow]) -> list[Group]:
    """Pairs that say the same, or of which one says no more than a part of the other."""
    stated = _statements(rows)
    return [
        (one, other)
        for one, other in _sharing_a_word(rows, stated)
        if says_the_same(stated[one.id], stated[other.id]) or says_the_same(stated[other.id], stated[one.id])
    ]


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

    def hear(self, heard: Heard) -> None:
        said = telling(heard.text)
        for row, first, told in list(self._open.values()):
            if heard.by_owner:
                is_source = first.source_event_id == heard.event_id
                if (told <= said and stands_in(row.words, heard.text)) or (is_source and _tells(heard, row.words)):
                    del self._open[row.id]
            elif row.id not in self._repeated and told <= said and _repeats(first, heard):
                self._repeated.add(row.id)

    @property
    def found(self) -> list[FactRow]:
        return [row for row, *_ in self._open.values() if row.id in self._repeated]


def _tells(heard: Heard, words: str) -> bool:
    """Whether the message that a fact came from says it, be it in other words."""
    own = own_statements(heard.text)
    message = OwnMessage(heard.event_id, "\n".join(own), heard.at)
    return any(is_grounded(words, each, message) for each in own)


def _repeats(first: FactRow, heard: Heard) -> bool:
    """Whether an assistant or a tool had said it before; a receipt, which names the fact, comes after it."""
    is_receipt = f"[id:{first.id}]" in heard.text
    return heard.at <= first.updated_at and not is_receipt and bool(places(heard.text, first, said_by_human=False))


def _statements(rows: Sequence[FactRow]) -> dict[str, Statement]:
    return {row.id: statement(row.content, row.updated_at, row.subject) for row in rows if row.content is not None}


def _sharing_a_word(rows: Sequence[FactRow], stated: Mapping[str, Statement]) -> Iterator[tuple[FactRow, FactRow]]:
    """Only those can say the same."""
    by_word: dict[str, list[FactRow]] = defaultdict(list)
    for row in rows:
        if row.id not in stated:
            continue
        words = {*stated[row.id].telling, stated[row.id].letters}
        for other in {other.id: other for word in words for other in by_word[word]}.values():
            yield other, row
        for word in words:
            by_word[word].append(row)


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
