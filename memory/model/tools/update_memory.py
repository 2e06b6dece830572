"""The tool that changes a fact if the user just stated the change, or asks on a card."""

from pydantic import BaseModel, Field

from db.vocabulary import ProposalKind
from memory.facts import facts, proposals
from memory.facts.consent import ASK, may_change
from memory.language.orders import own_statements
from memory.language.spans import source_span
from memory.model.tools.base import Caller, Tool
from memory.model.tools.repetition import ensure_changed


class UpdateMemory(BaseModel):
    """Change a stored fact when the user says that it is different now. Keep the words that still hold and take the \
new ones from the user's last message. If the new words are not in it, the user is shown a card and decides."""

    memory_id: str = Field(pattern=r"^[A-Za-z0-9]{8}$", description="The id of the fact, as in [id:…].")
    content: str = Field(min_length=5, max_length=500, description="The whole fact in its new wording.")


async def update_memory(args: UpdateMemory, caller: Caller) -> str:
    async with caller.unit() as unit:
        present = await facts.own_fact(unit, args.memory_id)
        verdict = may_change(caller.message, present, args.content)
        if caller.changes_used >= len(own_statements(caller.message)):
            verdict = ASK  # one statement changes one fact
        draft = facts.FactDraft(
            content=args.content,
            category=present.category,
            subject=present.subject,
            attribute=present.attribute,
            source_event_id=caller.event_id,
            span=source_span(caller.message, args.content),
            author="assistant",
        )
        await ensure_changed(unit, caller, draft, present, is_asked=verdict.approval is None)
        if verdict.approval is None:
            card = await proposals.propose(unit, ProposalKind.UPDATE, draft, present)
        else:
            receipt = await facts.revise(unit, present.id, draft, verdict.approval)
    if verdict.approval is None:
        return caller.add_card(card)
    caller.changes_used += 1
    return caller.add_receipt(receipt)


TOOL = Tool("update_memory", UpdateMemory, update_memory, recalls=True)
