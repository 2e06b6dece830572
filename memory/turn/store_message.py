"""Stores a message, and handles it if it answers a card."""

from db.queries.facts.facts import lock_facts_of
from memory.errors import KeyMissing, Refused
from memory.events.posts import add_post
from memory.events.record import record
from memory.facts.receipts import Receipt
from memory.turn.card_answers import CardAnswer, answer_card, can_answer
from memory.turn.outcome import NoticeCode, TurnNotice
from memory.turn.state import Turn
from memory.unit import Unit


async def store_message(unit: Unit, turn: Turn) -> CardAnswer | None:
    """Store the message. A yes to a card ends the turn; after a no, the message still goes to the brain."""
    chat, message, prepared, outcome = turn.chat, turn.message, turn.prepared, turn.outcome
    if message.is_own and can_answer(prepared.text):
        await lock_facts_of(unit.session, unit.viewer)  # before the lock on the conversation, which `record` takes
    if message.recorded is None:
        await record(unit, chat.conversation_id, [prepared])
        if chat.place and message.post:
            await add_post(unit, chat.place, message.post, prepared.event.id)
    if not message.is_own:
        return None
    receipts, notices = list[Receipt](), list[TurnNotice]()
    try:
        async with unit.session.begin_nested():
            answers = message.refs if message.is_reply else None
            card_answer = await answer_card(unit, chat.conversation_id, prepared, post=message.post, answers=answers)
    except (Refused, KeyMissing) as refusal:
        outcome.failed = True
        card_answer, notices = CardAnswer(), [TurnNotice(NoticeCode.REFUSED, {"error": refusal})]
    if card_answer and card_answer.receipt:
        receipts = [card_answer.receipt]
    if card_answer and card_answer.rejected:
        notices = [TurnNotice(NoticeCode.CARD_REJECTED, {"kind": card_answer.rejected.kind})]
    outcome.receipts[:], outcome.notices[:] = receipts, [*outcome.notices, *notices]
    if card_answer is not None and not card_answer.rejected:
        await turn.keep_outcome(unit, outcome)
    return card_answer
