"""Operations on proposals. Only the owner can answer them."""

from dataclasses import replace
from http import HTTPStatus

from api.api_call import ApiCall, ApiResponse
from api.caller import Scoping
from api.operations.memory import ensure_not_merged, tag_of
from api.paging import Page, moment_key, page_by_key
from api.schemas.memory import AcceptIn, ChangedOut, ProposalOut, ProposalsOut, RejectedOut
from memory.facts import proposals
from memory.facts.receipts import ReceiptKind
from memory.unit import Unit


async def list_proposals(call: ApiCall, scoping: Scoping, page: Page) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        cards = await proposals.waiting_cards(unit)
        shown, next_cursor = page_by_key(cards, lambda card: (moment_key(card.row.created_at), card.row.id), page)
        body = ProposalsOut(
            proposals=[ProposalOut.of(card) for card in shown], total=len(cards), next_cursor=next_cursor
        )
        return ApiResponse.of(body)

    return await call.read(call.caller.viewer(scoping), work)


async def accept(call: ApiCall, scoping: Scoping, proposal_id: str, request: AcceptIn) -> ApiResponse:
    """Accept a proposal as shown, or with the owner's own text instead."""
    call.caller.require_owner()

    async def work(unit: Unit) -> ApiResponse:
        receipt = await proposals.accept(unit, proposal_id, request.content_hash, words=request.content)
        card = await proposals.find_card(unit, proposal_id) if receipt.kind == ReceiptKind.KNOWN else None
        if card and card.fact_id:
            ensure_not_merged(receipt, card.fact_id)
        before = receipt.before.words if receipt.before else None
        body = ChangedOut.of(receipt.row, unit.viewer.user, previous_content=before)
        return replace(ApiResponse.of(body, ETag=tag_of(receipt.row)), forgets=receipt.row.forgotten)

    return await call.write(call.caller.viewer(scoping), work)


async def reject(call: ApiCall, scoping: Scoping, proposal_id: str) -> ApiResponse:
    call.caller.require_owner()

    async def work(unit: Unit) -> ApiResponse:
        row = await proposals.reject(unit, proposal_id)
        return ApiResponse.of(RejectedOut(id=row.id), HTTPStatus.OK)

    return await call.write(call.caller.viewer(scoping), work)
