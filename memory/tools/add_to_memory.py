"""The tool that stores a fact which the user ordered to be kept in the message of this very turn."""

from pydantic import BaseModel, Field

from db.vocabulary import Category
from memory import facts
from memory.errors import ToolRefused
from memory.orders import find_orders
from memory.receipts import Receipt, ReceiptKind
from memory.tools.base import Caller, Tool


class AddToMemory(BaseModel):
    """Keep a fact for later conversations. Works only when the user ordered it in their last message \
("remember that …"); the words that are kept are the user's own."""

    content: str = Field(min_length=5, max_length=500, description="The fact to keep, as the user put it.")
    category: Category = Field(description="What the fact is about.")
    subject: str | None = Field(None, max_length=200, description="The person or thing it is about, if it has a name.")


async def add_to_memory(wish: AddToMemory, caller: Caller) -> str:
    orders = find_orders(caller.message)
    if caller.orders_used >= len(orders):
        raise ToolRefused(
            'Not stored: the user gave no order to remember this in their last message. They can say "remember that …".'
        )
    order = orders[caller.orders_used]
    if not facts.SHORTEST <= len(order.words) <= facts.LONGEST:
        raise ToolRefused(f"Not stored: a fact has {facts.SHORTEST} to {facts.LONGEST} characters.")
    draft = facts.Draft(
        content=order.words,
        category=wish.category,
        subject=wish.subject if wish.subject and wish.subject in order.words else None,
        source_event_id=caller.event_id,
        span=order.span,
    )
    async with caller.transaction() as session:
        kept = await facts.remember(session, caller.viewer, draft, caller.now)
    caller.orders_used += 1
    receipt = Receipt.of(ReceiptKind.STORED if kept.is_new else ReceiptKind.KNOWN, kept.row)
    caller.receipts.append(receipt)
    return f"{receipt.kind}: [id:{receipt.fact_id}] {receipt.content}"


TOOL = Tool("add_to_memory", AddToMemory, add_to_memory)
