"""The tool that stores a fact which the user ordered to be kept, or asks whether it should be."""

from pydantic import BaseModel, Field

from db.vocabulary import Attribute, Category, ProposalKind
from memory.errors import Refused
from memory.facts import facts, proposals
from memory.facts.consent import Step, may_add
from memory.facts.facts import SubjectKnown
from memory.language.orders import find_orders
from memory.language.spans import source_span
from memory.model.tools.base import Caller, Tool
from memory.model.tools.repetition import ensure_new, own_wording


class AddToMemory(BaseModel):
    """Keep a fact for later conversations. When the user ordered it in their last message ("remember that …") it is \
stored in their own words; otherwise the user is shown a card and decides. Use it for lasting facts and preferences, \
not for what matters today only. To correct something that is remembered, use update_memory."""

    content: str = Field(min_length=5, max_length=500, description="The fact to keep, as the user put it.")
    category: Category = Field(description="What the fact is about.")
    subject: str | None = Field(None, max_length=200, description="The person or thing it is about, if it has a name.")
    attribute: Attribute | None = Field(None, description="Which part of the user's own profile it tells, if any.")
    separate: bool = Field(
        False, description="True when the subject is known already and this is another thing, not a change."
    )


async def add_to_memory(wish: AddToMemory, caller: Caller) -> str:
    orders = find_orders(caller.message)
    order = orders[caller.orders_used] if caller.orders_used < len(orders) else None
    content = order.words if order else own_wording(wish.content, caller.message)
    verdict = may_add(caller.choices.mode, caller.message, order, content)
    if verdict.step == Step.REFUSE:
        raise Refused("Not stored: the user stores things by their own order only, and gave none for this.")
    draft = facts.FactDraft(
        content=content,
        category=wish.category,
        subject=wish.subject,
        attribute=wish.attribute,
        source_event_id=caller.event_id,
        span=order.span if order else source_span(caller.message, content),
        author=None if order else "assistant",
    )
    if order is None:
        async with caller.unit(read_only=True) as unit:
            await ensure_new(unit, caller, draft)
    if verdict.approval is None:
        async with caller.unit() as unit:
            card = await proposals.propose(unit, ProposalKind.ADD, draft)
        return caller.show_card(card)
    try:
        async with caller.unit() as unit:
            receipt = await facts.remember(unit, draft, verdict.approval, separate=wish.separate, replaces=False)
    except SubjectKnown as known:
        raise Refused(
            f"{known} If this changes it, call update_memory with that id; "
            "if it is another thing, call add_to_memory again with separate=true and without an attribute."
        ) from known
    except Refused:
        caller.orders_used += order is not None  # the next order is another one
        raise
    caller.orders_used += order is not None
    return caller.show_receipt(receipt)


TOOL = Tool("add_to_memory", AddToMemory, add_to_memory, recalls=True)
