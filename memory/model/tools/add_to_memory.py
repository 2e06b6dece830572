"""The tool that stores a fact on the user's order, or proposes it on a card."""

from pydantic import BaseModel, Field

from db.vocabulary import Attribute, Category, ProposalKind
from memory.errors import Refused
from memory.facts import facts, proposals
from memory.facts.consent import Step, may_add
from memory.facts.facts import SubjectConflict
from memory.language.orders import find_orders
from memory.language.spans import source_span
from memory.model.tools.base import Caller, Tool
from memory.model.tools.repetition import ensure_new, own_wording
from memory.refusals import Refusal


class AddToMemory(BaseModel):
    """Store a fact for later conversations. If the user ordered it in their last message ("remember that …"), it is \
stored in their own words; otherwise the user is shown a card and decides. Use it for lasting facts and preferences, \
not for what matters only today. To correct a stored fact, use update_memory."""

    content: str = Field(min_length=5, max_length=500, description="The fact, in the user's own words.")
    category: Category = Field(description="What the fact is about.")
    subject: str | None = Field(
        None, max_length=200, description="The name of the person or thing it is about, if it has one."
    )
    attribute: Attribute | None = Field(None, description="The part of the user's own profile it belongs to, if any.")
    separate: bool = Field(
        False, description="True if facts about this subject are stored already and this is another one, not a change."
    )


async def add_to_memory(args: AddToMemory, caller: Caller) -> str:
    orders = find_orders(caller.message)
    order = orders[caller.orders_used] if caller.orders_used < len(orders) else None
    content = order.words if order else own_wording(args.content, caller.message)
    verdict = may_add(caller.choices.mode, caller.message, order, content)
    if verdict.step == Step.REFUSE:
        raise Refused(Refusal.NOT_ORDERED)
    draft = facts.FactDraft(
        content=content,
        category=args.category,
        subject=args.subject,
        attribute=args.attribute,
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
        return caller.add_card(card)
    try:
        async with caller.unit() as unit:
            receipt = await facts.remember(unit, draft, verdict.approval, separate=args.separate, replaces=False)
    except SubjectConflict as known:
        raise SubjectConflict(known.rows, Refusal.SUBJECT_KNOWN_CHOOSE) from known
    except Refused:
        caller.orders_used += order is not None  # a refused order is used up too
        raise
    caller.orders_used += order is not None
    return caller.add_receipt(receipt)


TOOL = Tool("add_to_memory", AddToMemory, add_to_memory, recalls=True)
