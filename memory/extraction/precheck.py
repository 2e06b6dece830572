"""Tells whether a message may hold something lasting about its writer, so that a model is asked only then.

What is quoted, announced, forwarded or asked tells nothing. A sentence is read clause by clause, because people tell
and ask in one breath: "I'm vegan, what can I cook?". Everything is linear in the length of what is read.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory.extraction import precheck_people, precheck_people_scripts
from memory.extraction.passing import passes
from memory.extraction.precheck_people import THINGS, Others
from memory.extraction.precheck_scripts import BEYOND_LATIN
from memory.extraction.precheck_words import LATIN, Telling
from memory.orders import LEAD, find_forget_orders, own_statements, pattern
from memory.sentences import ANNOUNCES, EDGE, LETTER, QUESTION_MARKS, asks, folded, own_sentences
from memory.sentences import without_quotations as quiet

# Less than orders are looked for in: this runs on every message, and whoever writes more has told it by then.
LONGEST_READ = 8_000
LONGEST_CLAUSE = 400  # nobody tells in one clause what begins later than that
SHORTEST_CLAUSE = len("我吃素")


TELLINGS = (*LATIN, *BEYOND_LATIN)
OTHERS = (*precheck_people.LATIN, *precheck_people_scripts.BEYOND_LATIN)


def _any(name: str, tellings: Sequence[Telling | Others] = TELLINGS) -> str:
    """What all languages say for one thing: people mix them, and a short line does not show its own."""
    spaced = "|".join(pattern(getattr(telling, name)) for telling in tellings if telling.spaced)
    unspaced = [pattern(getattr(telling, name)) for telling in tellings if not telling.spaced]
    return "|".join([rf"(?<![{LETTER}])(?:{spaced})", *unspaced])


def _after(name: str) -> re.Pattern[str]:
    """What is told of somebody, from the end of their name on."""
    gap = r"(?:\s+|(?<=')|(?='))"
    told = ((pattern(others.steps), pattern(getattr(others, name))) for others in OTHERS)
    return re.compile("|".join(rf"(?:{gap}(?:{steps})(?:{EDGE}|(?<='))){{0,2}}{gap}(?:{does})" for steps, does in told))


def _kin(others: Others) -> str:
    return rf"(?:{pattern(others.kin)})(?:{pattern(others.kin_does)})"


ASKS, WITHIN, CHAT = (re.compile(_any(name)) for name in ("asks", "asks_within", "chat"))
TELLS, BARE, SPEAKS, AT_HAND = (re.compile(_any(name)) for name in ("tells", "bare", "speaks", "at_hand"))
CLAUSE = re.compile(rf"[,;，；、—–(){{}}]|\s-\s|\.\s|(?:{_any('cuts')})(?![{LETTER}])")
LIVES, HE, NO_NAME = (re.compile(_any(name, OTHERS)) for name in ("lives", "he", "no_name"))
KIN = re.compile("|".join(map(_kin, OTHERS)))
DOES, ACTS = _after("does"), _after("acts")
THING = re.compile(rf"(?:{pattern(THINGS)})")
ARTICLE = re.compile(r"(?:(?:[oa]|la|el|die|der)\s+)?")  # some languages have one before a name
WORD = re.compile(rf"[{LETTER}-]+")
# In other scripts the words that ask stand at the end, after what is asked about.
ASKED = re.compile(rf"\s(?:{_any('asks', LATIN)})")


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
    if (asking := ASKED.search(last.text)) and asking.start():
        yield last._replace(text=last.text[: asking.start()])


def _clauses(said: str) -> list[Clause]:
    text, places = folded(said)
    cuts = [(cut.start(), cut.end()) for cut in CLAUSE.finditer(text)]
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
    lead = LEAD.match(text)
    first = lead.end() if lead else 0
    if ASKS.match(text) or ASKS.match(text, first) or WITHIN.search(text) or CHAT.search(text):
        return False
    if not (
        TELLS.search(text)
        or BARE.match(text, first)
        or (SPEAKS.search(text) and not AT_HAND.search(text))
        or _tells_of_others(clause, first)
    ):
        return False
    return not (passes(text) or find_forget_orders(text))


def _tells_of_others(clause: Clause, first: int) -> bool:
    text = clause.text
    if LIVES.search(text) or KIN.match(text) or KIN.match(text, first):
        return True
    named = (word for word in WORD.finditer(text) if word.start() in clause.capitals)
    names = [word for word in named if not (NO_NAME.fullmatch(word[0]) or THING.fullmatch(word[0]))]
    people = [*names, *HE.finditer(text)]
    if any(DOES.match(text, somebody.end()) for somebody in people):
        return True
    begins = {article.end() for place in (0, first) if (article := ARTICLE.match(text, place))}
    return any(ACTS.match(text, name.end()) for name in names if name.start() in begins)
