"""Tells whether a message may hold something lasting about its writer, so that a model is asked only then.

What is quoted, announced, forwarded or asked tells nothing. A sentence is read clause by clause, because people tell
and ask in one breath: "I'm vegan, what can I cook?". Everything is linear in the length of what is read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memory.language.derived import derived
from memory.language.lexicon import Language, languages
from memory.language.lexicon.people import PeopleWords
from memory.language.orders import find_forget_orders, lead, own_statements
from memory.language.patterns import any_language, pattern
from memory.language.sentences import ANNOUNCES, EDGE, LETTER, QUESTION_MARKS, asks, folded, own_sentences
from memory.language.sentences import without_quotations as quiet
from memory.language.transient import passes

# Less than orders are looked for in: this runs on every message, and whoever writes more has told it by then.
LONGEST_READ = 8_000
LONGEST_CLAUSE = 400  # nobody tells in one clause what begins later than that
SHORTEST_CLAUSE = 3  # "我吃素" tells something

WORD = re.compile(rf"[{LETTER}-]+")


class _Tellings:
    """What tells of oneself, in all languages."""

    def __init__(self) -> None:
        self.asks = re.compile(_any(lambda each: each.precheck.asks))
        self.asks_within = re.compile(_any(lambda each: each.precheck.asks_within))
        self.chat = re.compile(_any(lambda each: each.precheck.chat))
        self.tells = re.compile(_any(lambda each: each.precheck.tells))
        self.bare = re.compile(_any(lambda each: each.precheck.bare))
        self.speaks = re.compile(_any(lambda each: each.precheck.speaks))
        self.at_hand = re.compile(_any(lambda each: each.precheck.at_hand))
        cuts = _any(lambda each: each.precheck.cuts)
        self.clause = re.compile(rf"[,;，；、—–(){{}}]|\s-\s|\.\s|(?:{cuts})(?![{LETTER}])")
        asked = [pattern(each.precheck.asks) for each in languages().values() if each.precheck.asks_first]
        self.asked = re.compile(rf"\s(?:(?<![{LETTER}])(?:{'|'.join(asked)}))")


class _Others:
    """What tells of others, in all languages."""

    def __init__(self) -> None:
        self.lives = re.compile(_any(lambda each: each.people.lives))
        self.he = re.compile(_any(lambda each: each.people.he))
        self.no_name = re.compile(_any(lambda each: each.people.no_name))
        self.thing = re.compile("|".join(any_language(lambda each: each.people.things)))
        self.article = re.compile("(?:(?:{}|{})\\s+)?".format(*any_language(lambda each: each.people.article)))
        kin = ((pattern(each.people.kin), pattern(each.people.kin_does)) for each in languages().values())
        self.kin = re.compile("|".join(rf"(?:{who})(?:{does})" for who, does in kin))
        self.does = _after(lambda people: people.does)
        self.acts = _after(lambda people: people.acts)


_tellings, _others = derived(_Tellings), derived(_Others)


def _any(words: Callable[[Language], str]) -> str:
    """What all languages say for one thing, from the edge of a word on where words have edges."""
    spaced, unspaced = any_language(words)
    return rf"(?<![{LETTER}])(?:{spaced})|{unspaced}"


def _after(what: Callable[[PeopleWords], str]) -> re.Pattern[str]:
    """What is told of somebody, from the end of their name on."""
    gap = r"(?:\s+|(?<=')|(?='))"
    told = ((pattern(each.people.steps), pattern(what(each.people))) for each in languages().values())
    return re.compile("|".join(rf"(?:{gap}(?:{steps})(?:{EDGE}|(?<='))){{0,2}}{gap}(?:{does})" for steps, does in told))


class Clause(NamedTuple):
    """A clause, folded, and where its words begin that were written with a capital."""

    text: str
    capitals: frozenset[int] = frozenset()


def tells(message: str) -> bool:
    """Whether the writer's own sentences may tell something lasting about them, their people, work, home or plans."""
    read = message[:LONGEST_READ]
    if any(_tells(clause) for said in own_statements(read) for clause in _clauses(said)):
        return True
    return any(_tells(clause) for asked in _own_questions(read) for clause in _told_before(asked))


def _own_questions(message: str) -> list[str]:
    if not any(mark in message for mark in QUESTION_MARKS):
        return []
    without = quiet(message)
    own = [without[start:end] for start, end in own_sentences(message, lambda said, is_first: False)]
    return [ANNOUNCES.split(said, maxsplit=1)[0] for said in own if asks(said)]


def _told_before(question: str) -> Iterator[Clause]:
    """What a question says besides asking: its clauses but the last, and of that what stands before the asking."""
    *before, last = _clauses(question)
    yield from before
    if (asking := _tellings().asked.search(last.text)) and asking.start():
        yield last._replace(text=last.text[: asking.start()])


def _clauses(said: str) -> list[Clause]:
    text, places = folded(said)
    cuts = [(cut.start(), cut.end()) for cut in _tellings().clause.finditer(text)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [_clause(said, text, places, start, end) for start, end in zip(starts, ends, strict=True)]


def _clause(said: str, text: str, places: Sequence[int], start: int, end: int) -> Clause:
    clause = text[start : min(end, start + LONGEST_CLAUSE)]
    start += len(clause) - len(clause.lstrip())
    clause = clause.strip()
    words = (word.start() for word in WORD.finditer(clause))
    return Clause(clause, frozenset(word for word in words if said[places[start + word]].isupper()))


def _tells(clause: Clause) -> bool:
    text = clause.text
    if len(text) < SHORTEST_CLAUSE:
        return False
    led, telling = lead().match(text), _tellings()
    first = led.end() if led else 0
    if telling.asks.match(text) or telling.asks.match(text, first):
        return False
    if telling.asks_within.search(text) or telling.chat.search(text):
        return False
    if not (
        telling.tells.search(text)
        or telling.bare.match(text, first)
        or (telling.speaks.search(text) and not telling.at_hand.search(text))
        or _tells_of_others(clause, first)
    ):
        return False
    return not (passes(text) or find_forget_orders(text))


def _tells_of_others(clause: Clause, first: int) -> bool:
    text, others = clause.text, _others()
    if others.lives.search(text) or others.kin.match(text) or others.kin.match(text, first):
        return True
    named = (word for word in WORD.finditer(text) if word.start() in clause.capitals)
    names = [word for word in named if not (others.no_name.fullmatch(word[0]) or others.thing.fullmatch(word[0]))]
    people = [*names, *others.he.finditer(text)]
    if any(others.does.match(text, somebody.end()) for somebody in people):
        return True
    begins = {article.end() for place in (0, first) if (article := others.article.match(text, place))}
    return any(others.acts.match(text, name.end()) for name in names if name.start() in begins)
