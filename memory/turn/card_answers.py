"""Handles a plain yes or no in answer to a card: finds the card it can mean and carries out the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from db.queries.events.events import last_messages
from db.queries.events.posts import last_message_of
from db.queries.facts.proposals import ProposalRow
from db.vocabulary import ActorType, Approval, ProposalStatus
from memory.events.record import PreparedEvent, open_content
from memory.facts import proposals
from memory.facts.receipts import Receipt
from memory.language.yes_and_no import asks_nothing_else, is_plain_yes, starts_with_no
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """The receipt of a yes, or the card that a no rejected."""

    receipt: Receipt | None = None
    rejected: ProposalRow | None = None


def can_answer(words: str) -> bool:
    return is_plain_yes(words) or starts_with_no(words)


async def answer_card(
    unit: Unit,
    conversation_id: str,
    message: PreparedEvent,
    *,
    post: int | None = None,
    answers: Sequence[str] | None = None,
) -> CardAnswer | None:
    """Treat the message as the answer to a card, if it can be nothing else. `post` is its number in the external chat,
    which tells whether it was sent after the card. `answers` are the events that it explicitly replies to; then it
    cannot mean a card on another one."""
    if not can_answer(message.text):
        return None
    before = await last_messages(unit.session, unit.viewer, conversation_id, limit=2)
    if len(before) < 2 or before[0].actor_type != ActorType.AGENT or before[1].event_id != message.event.id:
        return None
    reply = before[0]
    if answers is not None and reply.event_id not in answers:
        return None
    content = await open_content(unit, reply.user, reply.event_id, reply.content)
    cards = await proposals.cards_on(unit, reply.event_id)
    card = card_at_issue(str(content.get("text", "")), cards, message.event.ts)
    if card is None:
        return None
    if post is not None and post < (await last_message_of(unit.session, unit.viewer, reply.event_id) or 0):
        return None
    if is_plain_yes(message.text):
        return CardAnswer(await proposals.accept(unit, card.id, card.content_hash, approval=Approval.YES))
    return CardAnswer(rejected=await proposals.reject(unit, card.id))


def card_at_issue(reply: str, cards: Sequence[ProposalRow], sent_at: datetime) -> ProposalRow | None:
    """The card that a plain answer means: the only one on the reply, shown before the answer was sent, where the reply
    asks nothing else."""
    if len(cards) != 1 or cards[0].status != ProposalStatus.WAITING or cards[0].expires_at <= sent_at:
        return None
    if not asks_nothing_else(reply):
        return None
    shown_at = cards[0].shown_at
    return cards[0] if shown_at is not None and shown_at <= sent_at else None
