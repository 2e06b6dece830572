"""The tool that forgets a fact if the user just ordered it by name, or asks on a card."""

from pydantic import BaseModel, Field

from db.vocabulary import ProposalKind
from memory.facts import facts, proposals
from memory.facts.consent import may_forget
from memory.language.orders import find_forget_orders
from memory.model.tools.base import Caller, Tool


class ForgetMemory(BaseModel):
    """Forget a stored fact when the user asks for it. If their last message does not name it in its own words, the \
user is shown a card and decides."""

    memory_id: str = Field(pattern=r"^[A-Za-z0-9]{8}$", description="The id of the fact, as in [id:…].")


async def forget_memory(args: ForgetMemory, caller: Caller) -> str:
    async with caller.unit() as unit:
        present = await facts.own_fact(unit, args.memory_id)
        orders = find_forget_orders(caller.message)
        order = orders[caller.forgets_used] if caller.forgets_used < len(orders) else None
        verdict = may_forget(order, present)
        if verdict.approval is None:
            draft = facts.FactDraft(content=present.words, category=present.category, subject=present.subject)
            card = await proposals.propose(unit, ProposalKind.FORGET, draft, present)
        else:
            receipt = await facts.hide(unit, present.id, verdict.approval)
    if verdict.approval is None:
        return caller.add_card(card)
    caller.forgets_used += 1
    return caller.add_receipt(receipt)


TOOL = Tool("forget_memory", ForgetMemory, forget_memory, recalls=True)
