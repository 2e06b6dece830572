"""Tells whether a message may hold something lasting about its writer, so that a model is asked only then.

What is quoted, announced, forwarded or asked tells nothing. A sentence is read clause by clause, because people tell
and ask in one breath: "I'm vegan, what can I cook?". Everything is linear in the length of what is read.
"""

import re
from collections.abc import Iterator, Sequence

from memory.extraction.passing import passes
from memory.extraction.precheck_scripts import BEYOND_LATIN
from memory.extraction.precheck_words import LATIN, Telling
from memory.orders import LEAD, find_forget_orders, own_statements, pattern
from memory.sentences import ANNOUNCES, LETTER, QUESTION_MARKS, asks, folded, own_sentences
from memory.sentences import without_quotations as quiet

# Less than orders are looked for in: this runs on every message, and whoever writes more has told it by then.
LONGEST_READ = 8_000
LONGEST_CLAUSE = 400  # nobody tells in one clause what begins later than that
SHORTEST_CLAUSE = len("我吃素")


def _any(name: str, tellings: Sequence[Telling] = (*LATIN, *BEYOND_LATIN)) -> str:
    """What all languages say for one thing: people mix them, and a short line does not show its own."""
    spaced = "|".join(pattern(getattr(telling, name)) for telling in tellings if telling.spaced)
    unspaced = [pattern(getattr(telling, name)) for telling in tellings if not telling.spaced]
    return "|".join([rf"(?<![{LETTER}])(?:{spaced})", *unspaced])


ASKS, WITHIN, CHAT = (re.compile(_any(name)) for name in ("asks", "asks_within", "chat"))
TELLS, BARE, SPEAKS, AT_HAND = (re.compile(_any(name)) for name in ("tells", "bare", "speaks", "at_hand"))
CLAUSE = re.compile(rf"[,;，；、—–(){{}}]|\s-\s|\.\s|(?:{_any('cuts')})(?![{LETTER}])")
# In other scripts the words that ask stand at the end, after what is asked about.
ASKED = re.compile(rf"\s(?:{_any('asks', LATIN)})")


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


def _told_before(question: str) -> Iterator[str]:
    """What a question says besides asking: its clauses but the last, and of that what stands before the asking."""
    *before, last = _clauses(question)
    yield from before
    if (asking := ASKED.search(last)) and asking.start():
        yield last[: asking.start()]


def _clauses(said: str) -> list[str]:
    """The clauses of a sentence, folded."""
    return [clause[:LONGEST_CLAUSE].strip() for clause in CLAUSE.split(folded(said)[0])]


def _tells(clause: str) -> bool:
    if len(clause) < SHORTEST_CLAUSE:
        return False
    lead = LEAD.match(clause)
    first = lead.end() if lead else 0
    if ASKS.match(clause) or ASKS.match(clause, first) or WITHIN.search(clause) or CHAT.search(clause):
        return False
    if not (
        TELLS.search(clause) or BARE.match(clause, first) or (SPEAKS.search(clause) and not AT_HAND.search(clause))
    ):
        return False
    return not (passes(clause) or find_forget_orders(clause))
