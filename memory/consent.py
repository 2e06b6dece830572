"""The gate: what a model may do at once, what it may only ask for, and what it may not. The program decides, by rules.

A model's wish acts at once only where the owner's own message of this very turn carries it. Everything else becomes a
card that waits for its owner. Nothing here does I/O, so that every rule can be tried by itself.
"""

from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts import FactRow
from db.vocabulary import Approval, Mode
from memory.orders import Order, find_forget_orders
from memory.retrieval.languages import NEGATIONS, POINTERS, STOP_WORDS, pieces, stem, telling

# Words that say nothing by themselves, among them how models speak of the person they talk to.
FREE = STOP_WORDS | POINTERS


class Step(StrEnum):
    ACT = "act"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Verdict:
    step: Step
    approval: Approval | None = None


ASK = Verdict(Step.ASK)
REFUSE = Verdict(Step.REFUSE)


def may_add(mode: Mode, message: str, order: Order | None, content: str) -> Verdict:
    """An order acts, whatever the mode. Without one, `auto` acts on what the owner's message says; the rest is asked,
    and in `manual` nothing is."""
    if order is not None:
        return Verdict(Step.ACT, Approval.ORDER)
    if mode == Mode.MANUAL:
        return REFUSE
    if mode == Mode.AUTO and stands_in(content, message):
        return Verdict(Step.ACT, Approval.AUTO)
    return ASK


def may_change(message: str, present: FactRow, content: str) -> Verdict:
    """New words must all stand in the owner's message; words of the present version may stay. Taking out a "not", or
    changing nothing but the order of words, turns a sentence around: that is asked."""
    known, wanted = set(_words(present.words)), set(_words(content))
    added = {word for word in wanted - known if word not in FREE}
    if not added or _negations(known) - _negations(wanted):
        return ASK
    return Verdict(Step.ACT, Approval.WORDS) if _stems(added) <= _stems(_words(message)) else ASK


def may_forget(message: str, present: FactRow) -> Verdict:
    """Only an order to forget that names the fact, by its id or with all of its telling words."""
    for order in find_forget_orders(message):
        if present.id in order.words or telling(present.words) <= telling(order.words):
            return Verdict(Step.ACT, Approval.ORDER)
    return ASK


def stands_in(content: str, message: str) -> bool:
    """Whether all telling words of a sentence, and each "not" of it, are in the owner's message."""
    telling = {word for word in _words(content) if word not in FREE}
    return bool(telling) and _stems(telling) <= _stems(_words(message))


def _words(text: str) -> list[str]:
    return pieces(text)


def _stems(words: set[str] | list[str]) -> set[str]:
    return {stem(word) for word in words}


def _negations(words: set[str]) -> set[str]:
    return {word for word in words if word in NEGATIONS or word.endswith(("n't", "n’t"))}
