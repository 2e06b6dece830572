"""The gate: what a model may do at once, what it may only ask for, and what it may not. The program decides, by rules.

A model's wish acts at once only where the owner's own message of this very turn carries it: their own words, not what
they quote or pass on, and said, not asked. Everything else becomes a card that waits for its owner. Nothing here does
I/O, so that every rule can be tried by itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts.facts import FactRow
from db.vocabulary import Approval, Mode
from memory.language.claims.negation import negations, signs
from memory.language.orders import Order, own_statements
from memory.language.terms import UNSPACED, saying_nothing, stem, telling

KEPT_AT_LEAST = 1 / 3


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
    """New words must all stand in what the owner says in their message, and be about the same thing: a third of the
    telling words stays, no more of them go than come, unless the message names them, and no "not" is dropped."""
    said = _stems(word for statement in own_statements(message) for word in signs(statement))
    known, wanted, free = set(signs(present.words)), set(signs(content)), saying_nothing()
    added = {word for word in wanted - known if word not in free}
    before, after = telling(present.words), telling(content)
    gone = before - after - said
    same_thing = len(before & after) >= max(1, KEPT_AT_LEAST * len(before))
    if (
        not added
        or not same_thing
        or len(gone) > len(added) * _signs_a_word(content)
        or negations(known) - negations(wanted)
    ):
        return ASK
    return Verdict(Step.ACT, Approval.WORDS) if _stems(added) <= said else ASK


def may_forget(order: Order | None, present: FactRow) -> Verdict:
    """Only an order to forget that names the fact, by its id or with all of its telling words, and negates no more and
    no less than it."""
    if order is None or present.content is None:
        return ASK
    told, ordered = telling(present.content), set(signs(order.words))
    named = bool(told) and told <= telling(order.words)
    if present.id in order.words or (named and negations(ordered) == negations(set(signs(present.content)))):
        return Verdict(Step.ACT, Approval.ORDER)
    return ASK


def stands_in(content: str, message: str) -> bool:
    """Whether one statement of the owner's holds all telling words of a sentence, and the same negations."""
    wanted, free = set(signs(content)), saying_nothing()
    told = _stems(word for word in wanted if word not in free)
    for statement in own_statements(message):
        said = set(signs(statement))
        if told and told <= _stems(said) and negations(wanted) == negations(said):
            return True
    return False


def _signs_a_word(text: str) -> int:
    """Where words are written without spaces, they are compared sign by sign, and lengths differ."""
    return 2 if UNSPACED.search(text) else 1


def _stems(words: Iterable[str]) -> set[str]:
    return {stem(word) for word in words}
