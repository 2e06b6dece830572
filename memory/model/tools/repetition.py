"""Keeps a model from asking again what is known, waits or was declined, however it puts it: models repeat things."""

from collections.abc import Iterable

from db.queries.facts.facts import FactRow
from db.queries.facts.proposals import ProposalRow, unaccepted
from db.vocabulary import ONE_VALUE, ProposalKind, ProposalStatus, Sensitivity
from memory.errors import Refused
from memory.facts import facts
from memory.facts.facts import LONGEST, SHORTEST, FactDraft
from memory.language.claims.negation import negations_of
from memory.language.claims.statements import Statement, says_more, says_the_same, statement
from memory.language.orders import own_statements
from memory.language.precheck import tells
from memory.language.sentences import MARKS_AT_END
from memory.language.terms import plain, telling
from memory.model.tools.base import Caller
from memory.unit import Unit

MARKS = MARKS_AT_END + " "
MOSTLY = 0.5  # of the telling words of a fact
ASKED = "Not asked: the user was asked this already, or said no to it."


async def ensure_new(unit: Unit, caller: Caller, draft: FactDraft) -> None:
    """What the user did not order must be news: no fact says it, all of it or a part, and no card does."""
    new = statement(draft.content, caller.now, facts.subject_in(draft.subject, draft.content))
    for row in await facts.own_facts(unit):
        known = _stated(row, caller)
        has_value = draft.attribute in ONE_VALUE and row.attribute == draft.attribute
        if row.content is not None and (has_value or says_the_same(new, known) or says_more(new, known)):
            raise Refused("Not stored: this is known already: {known}.", field="content", known=_told(row, caller))
    _ensure_not_asked(new, await _cards(unit, draft), caller)


async def ensure_changed(unit: Unit, caller: Caller, draft: FactDraft, present: FactRow, *, is_asked: bool) -> None:
    """A change must change something, and not make one fact the same as another; a change that would be asked for must
    not have been asked before."""
    new = statement(draft.content, caller.now, facts.subject_in(draft.subject, draft.content))
    for row in await facts.own_facts(unit):
        is_other = is_asked or row.id != present.id
        if row.content is not None and is_other and says_the_same(new, _stated(row, caller)):
            raise Refused("Not changed: this is known already: {known}.", field="content", known=_told(row, caller))
    if is_asked:
        cards = await _cards(unit, draft)
        is_about = [card for card in cards if card.kind == ProposalKind.ADD or card.fact_id == present.id]
        _ensure_not_asked(new, is_about, caller)


def own_wording(content: str, message: str) -> str:
    """What a user tells in one statement of theirs stays in their words, where a model has put some of its own into it:
    those change from one time to the next. What tells nothing by itself, as an answer may not, needs the model's."""
    told = telling(content)
    if told <= telling(message):
        return content
    for said in own_statements(message):
        words, shared = said.strip(MARKS), len(told & telling(said))
        is_theirs = shared > 1 and shared >= MOSTLY * len(told) and negations_of(said) == negations_of(content)
        if is_theirs and tells(said) and SHORTEST <= len(words) <= LONGEST:
            return words
    return content


def _told(row: FactRow, caller: Caller) -> str:
    caller.touched_sensitive |= row.sensitivity == Sensitivity.HIGH
    return f"[id:{row.id}] {row.words}"


def _stated(row: FactRow, caller: Caller) -> Statement:
    return statement(row.words, caller.now, row.subject)


async def _cards(unit: Unit, draft: FactDraft) -> list[ProposalRow]:
    """Those that wait or were declined, but for the very same one: that may be shown again while it waits."""
    cards = await unit.vault.opened(await unaccepted(unit.session, unit.viewer))
    return [
        card
        for card in cards
        if card.content and card.kind != ProposalKind.FORGET and not _is_the_same_card(card, draft)
    ]


def _is_the_same_card(card: ProposalRow, draft: FactDraft) -> bool:
    return card.status == ProposalStatus.WAITING and plain(card.content or "") == plain(draft.content)


def _ensure_not_asked(new: Statement, cards: Iterable[ProposalRow], caller: Caller) -> None:
    if any(says_the_same(new, statement(card.content or "", caller.now, card.subject)) for card in cards):
        raise Refused(ASKED, field="content")
