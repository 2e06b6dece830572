"""The consent rules: decide whether a change that a model asks for is carried out, becomes a card, or is refused.

A change is carried out at once only if the owner states it in their message of this turn. Quoted or forwarded words do
not count, nor do questions. All other changes become cards that wait for the owner. Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts.facts import FactRow
from db.vocabulary import Approval, Mode
from memory.language.claims.negation import negating_words, words_and_symbols
from memory.language.orders import Order, own_statements
from memory.language.terms import UNSPACED, key_terms, stem, uninformative_words

MIN_KEPT_SHARE = 1 / 3  # share of a fact's key terms that a change must keep


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
    """An explicit order acts in every mode. Without one, `manual` refuses, `auto` acts if the owner's message states
    the content, and everything else becomes a card."""
    if order is not None:
        return Verdict(Step.ACT, Approval.ORDER)
    if mode == Mode.MANUAL:
        return REFUSE
    if mode == Mode.AUTO and is_stated_in(content, message):
        return Verdict(Step.ACT, Approval.AUTO)
    return ASK


def may_change(message: str, fact: FactRow, content: str) -> Verdict:
    """Act only if the owner's message states all new words and the fact is still about the same thing.

    It is if a third of its key terms remain, no negation is dropped, and no more key terms are removed than words are
    added. Terms that the message names do not count as removed.
    """
    stated = _stems(word for statement in own_statements(message) for word in words_and_symbols(statement))
    old_words, new_words = set(words_and_symbols(fact.words)), set(words_and_symbols(content))
    ignored = uninformative_words()
    added = {word for word in new_words - old_words if word not in ignored}
    old_terms, new_terms = key_terms(fact.words), key_terms(content)
    removed = old_terms - new_terms - stated
    same_thing = len(old_terms & new_terms) >= max(1, MIN_KEPT_SHARE * len(old_terms))
    if (
        not added
        or not same_thing
        or len(removed) > len(added) * _removals_per_addition(content)
        or negating_words(old_words) - negating_words(new_words)
    ):
        return ASK
    return Verdict(Step.ACT, Approval.WORDS) if _stems(added) <= stated else ASK


def may_forget(order: Order | None, fact: FactRow) -> Verdict:
    """Act only if an order to forget names the fact by its id, or by all of its key terms with the same negations."""
    if order is None or fact.content is None:
        return ASK
    fact_terms, ordered_words = key_terms(fact.content), set(words_and_symbols(order.words))
    is_named = bool(fact_terms) and fact_terms <= key_terms(order.words)
    if fact.id in order.words or (
        is_named and negating_words(ordered_words) == negating_words(set(words_and_symbols(fact.content)))
    ):
        return Verdict(Step.ACT, Approval.ORDER)
    return ASK


def is_stated_in(content: str, message: str) -> bool:
    """Whether one of the owner's statements has all informative words of the content, and the same negations."""
    content_words, ignored = set(words_and_symbols(content)), uninformative_words()
    informative = _stems(word for word in content_words if word not in ignored)
    for statement in own_statements(message):
        stated_words = set(words_and_symbols(statement))
        if (
            informative
            and informative <= _stems(stated_words)
            and negating_words(content_words) == negating_words(stated_words)
        ):
            return True
    return False


def _removals_per_addition(content: str) -> int:
    """How many key terms may go for each that is added. Scripts without spaces are compared by character, and a word
    has several."""
    return 2 if UNSPACED.search(content) else 1


def _stems(words: Iterable[str]) -> set[str]:
    return {stem(word) for word in words}
