"""What waits for its owner's word: read by whoever may, answered by the owner alone."""

from dataclasses import replace
from http import HTTPStatus

from api.call import ApiAnswer, ApiCall
from api.caller import Scoping
from api.operations.memory import ensure_this_one, tag_of
from api.paging import Page, cut, moment_key
from api.schemas.memory import AcceptIn, ChangedOut, ProposalOut, ProposalsOut, RejectedOut
from memory.facts import proposals
from memory.facts.receipts import ReceiptKind
from memory.unit import Unit


async def list_proposals(call: ApiCall, scoping: Scoping, page: Page) -> ApiAnswer:
    async def work(unit: Unit) -> ApiAnswer:
        cards = await proposals.waiting(unit)
        shown, following = cut(cards, lambda card: (moment_key(card.row.created_at), card.row.id), page)
        told = ProposalsOut(proposals=[ProposalOut.of(card) for card in shown], total=len(cards), next_cursor=following)
        return ApiAnswer.of(told)

    return await call.read(call.caller.viewer(scoping), work)


async def accept(call: ApiCall, scoping: Scoping, proposal_id: str, wish: AcceptIn) -> ApiAnswer:
    """The owner's yes to exactly what was shown, or to their own words in its place."""
    call.caller.ensure_owner()

    async def work(unit: Unit) -> ApiAnswer:
        receipt = await proposals.accept(unit, proposal_id, wish.content_hash, words=wish.content)
        card = await proposals.any_card(unit, proposal_id) if receipt.kind == ReceiptKind.KNOWN else None
        if card and card.fact_id:
            ensure_this_one(receipt, card.fact_id)
        before = receipt.before.words if receipt.before else None
        told = ChangedOut.of(receipt.row, unit.viewer.user, previous_content=before)
        return replace(ApiAnswer.of(told, ETag=tag_of(receipt.row)), forgets=receipt.row.forgotten)

    return await call.write(call.caller.viewer(scoping), work)


async def reject(call: ApiCall, scoping: Scoping, proposal_id: str) -> ApiAnswer:
    call.caller.ensure_owner()

    async def work(unit: Unit) -> ApiAnswer:
        row = await proposals.reject(unit, proposal_id)
        return ApiAnswer.of(RejectedOut(id=row.id), HTTPStatus.OK)

    return await call.write(call.caller.viewer(scoping), work)
