"""Refuses proposals of known, waiting or rejected facts in any wording, because models repeat themselves."""

from collections.abc import Iterable

from db.queries.facts.facts import FactRow
from db.queries.facts.proposals import ProposalRow, unaccepted
from db.vocabulary import ONE_VALUE, ProposalKind, ProposalStatus, Sensitivity
from memory.errors import Refused
from memory.facts import facts
from memory.facts.facts import LONGEST, SHORTEST, FactDraft
from memory.language.claims.negation import negations_in
from memory.language.claims.statements import Statement, says_more, says_the_same, statement
from memory.language.orders import own_statements
from memory.language.precheck import may_hold_fact
from memory.language.sentences import MARKS_AT_END
from memory.language.terms import key_terms, normalise
from memory.model.tools.base import Caller
from memory.refusals import Refusal
from memory.unit import Unit

MARKS = MARKS_AT_END + " "
MOSTLY = 0.5  # share of a fact's key terms


async def ensure_new(unit: Unit, caller: Caller, draft: FactDraft) -> None:
    """Refuse a fact if a card proposed it, or if existing facts state it wholly or in part."""
    new = statement(draft.content, caller.now, facts.subject_in(draft.subject, draft.content))
    for row in await facts.own_facts(unit):
        known = _statement_of(row, caller)
        has_value = draft.attribute in ONE_VALUE and row.attribute == draft.attribute
        if row.content is not None and (has_value or says_the_same(new, known) or says_more(new, known)):
            raise Refused(Refusal.STORE_KNOWN, field="content", known=_describe(row, caller))
    _ensure_not_asked(new, await _cards(unit, draft), caller)


async def ensure_changed(unit: Unit, caller: Caller, draft: FactDraft, present: FactRow, *, is_asked: bool) -> None:
    """Refuse a change that changes nothing or duplicates another fact. If it `is_asked` on a card, also refuse a
    repeated question."""
    new = statement(draft.content, caller.now, facts.subject_in(draft.subject, draft.content))
    for row in await facts.own_facts(unit):
        is_other = is_asked or row.id != present.id
        if row.content is not None and is_other and says_the_same(new, _statement_of(row, caller)):
            raise Refused(Refusal.CHANGE_KNOWN, field="content", known=_describe(row, caller))
    if is_asked:
        cards = await _cards(unit, draft)
        is_about = [card for card in cards if card.kind == ProposalKind.ADD or card.fact_id == present.id]
        _ensure_not_asked(new, is_about, caller)


def own_wording(content: str, message: str) -> str:
    """Return the user's own statement in place of the model's wording, which varies. If the message has no such
    statement, as in a short answer, keep the model's wording."""
    terms = key_terms(content)
    if terms <= key_terms(message):
        return content
    for sentence in own_statements(message):
        words, shared = sentence.strip(MARKS), len(terms & key_terms(sentence))
        is_theirs = shared > 1 and shared >= MOSTLY * len(terms) and negations_in(sentence) == negations_in(content)
        if is_theirs and may_hold_fact(sentence) and SHORTEST <= len(words) <= LONGEST:
            return words
    return content


def _describe(row: FactRow, caller: Caller) -> str:
    caller.touched_sensitive |= row.sensitivity == Sensitivity.HIGH
    return f"[id:{row.id}] {row.words}"


def _statement_of(row: FactRow, caller: Caller) -> Statement:
    return statement(row.words, caller.now, row.subject)


async def _cards(unit: Unit, draft: FactDraft) -> list[ProposalRow]:
    """Return waiting and rejected cards. A waiting card with the same words is left out: it may be shown again."""
    cards = await unit.vault.open_rows(await unaccepted(unit.session, unit.viewer))
    return [
        card
        for card in cards
        if card.content and card.kind != ProposalKind.FORGET and not _is_the_same_card(card, draft)
    ]


def _is_the_same_card(card: ProposalRow, draft: FactDraft) -> bool:
    return card.status == ProposalStatus.WAITING and normalise(card.content or "") == normalise(draft.content)


def _ensure_not_asked(new: Statement, cards: Iterable[ProposalRow], caller: Caller) -> None:
    if any(says_the_same(new, statement(card.content or "", caller.now, card.subject)) for card in cards):
        raise Refused(Refusal.ASK_REPEATED, field="content")
