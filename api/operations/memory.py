"""Operations on facts and the profile. The owner changes them directly; an agent's request becomes a card."""

from dataclasses import replace
from http import HTTPStatus

from api.api_call import ApiCall, ApiResponse
from api.caller import Scoping
from api.etags import content_hash, ensure_match, etag_matches, not_modified
from api.operations.notes import conceal_refusals, tool_caller
from api.paging import FIRST_PAGE, Page, moment_key, page_by_key
from api.problems import Problem
from api.schemas.memory import (
    ChangedOut,
    CreateMemoryIn,
    DeletedOut,
    FactsOut,
    HistoryOut,
    MemoriesOut,
    MemoryOut,
    PreferencesOut,
    ProfileOut,
    ProposalOut,
    ProposedOut,
    UpdateMemoryIn,
    VersionOut,
    VisibilityIn,
)
from memory import Approval, Channel, FactRow, Mode, ProposalKind, Scope, Visibility
from memory.consolidation.summaries.summaries import overview_of
from memory.errors import Refused
from memory.facts import facts, history, listing, profile, proposals
from memory.facts.facts import FactDraft
from memory.facts.lock import lock_facts
from memory.facts.profile import Preferences
from memory.facts.receipts import Receipt, ReceiptKind
from memory.facts.topics import topics_of
from memory.model.tools.repetition import ensure_changed, ensure_new
from memory.refusals import Refusal
from memory.turn import background_notices
from memory.unit import Unit

MAX_TOPICS = 50


async def list_memory(call: ApiCall, scoping: Scoping, page: Page, if_none_match: str | None = None) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        response = await _memory_list(unit, page)
        tag = response.headers["ETag"]
        return not_modified(tag) if etag_matches(if_none_match, tag) else response

    return await call.read(call.caller.viewer(scoping), work)


async def facts_of_space(call: ApiCall, scoping: Scoping, page: Page) -> ApiResponse:
    """List the viewer's own facts in a space and what its members share."""

    async def work(unit: Unit) -> ApiResponse:
        shown, total, next_cursor = await facts_page(unit, page)
        return ApiResponse.of(FactsOut(facts=shown, total=total, next_cursor=next_cursor))

    return await call.read(call.caller.viewer(scoping), work)


async def facts_page(unit: Unit, page: Page) -> tuple[list[MemoryOut], int, str | None]:
    """Return one page of the readable facts in snapshot order, the total and the next cursor. Only the facts on the
    page are decrypted."""
    rows = await listing.readable_facts_sealed(unit)
    shown, next_cursor = page_by_key(rows, lambda row: (row.category, moment_key(row.created_at), row.id), page)
    return [MemoryOut.of(row, unit.viewer.user) for row in await unit.vault.open_rows(shown)], len(rows), next_cursor


async def get_memory(call: ApiCall, scoping: Scoping, fact_id: str, if_none_match: str | None = None) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        row = await facts.readable_fact(unit, fact_id)
        if etag_matches(if_none_match, tag_of(row)):
            return not_modified(tag_of(row))
        versions = [VersionOut.of(each) for each in await history.history(unit, fact_id)]
        return ApiResponse.of(HistoryOut.of(row, unit.viewer.user, versions=versions), ETag=tag_of(row))

    return await call.read(call.caller.viewer(scoping), work)


async def create_memory(call: ApiCall, scoping: Scoping, request: CreateMemoryIn) -> ApiResponse:
    draft = FactDraft(request.content, request.category, request.subject, request.attribute)

    async def store(unit: Unit) -> ApiResponse:
        receipt = await facts.remember(unit, draft, Approval.COMMAND, separate=request.separate, replaces=False)
        known = receipt.kind == ReceiptKind.KNOWN
        return _fact_response(unit, receipt.row, HTTPStatus.OK if known else HTTPStatus.CREATED)

    async def ask(unit: Unit) -> ApiResponse:
        asking = await _draft_for_agent(call, scoping, unit, replace(draft, content=facts.clean_content(draft.content)))
        with conceal_refusals(call, Refusal.ASK_POINTLESS):
            async with unit.in_private() as private:
                await ensure_new(private, await tool_caller(call, private), asking)
            return await _propose(unit, ProposalKind.ADD, asking)

    return await call.write(call.caller.viewer(scoping), store if call.caller.is_owner else ask)


async def update_memory(
    call: ApiCall, scoping: Scoping, fact_id: str, request: UpdateMemoryIn, if_match: str | None = None
) -> ApiResponse:
    async def change(unit: Unit) -> ApiResponse:
        before = await facts.own_fact(unit, fact_id)
        ensure_match(if_match, tag_of(before))
        receipt = await facts.revise(unit, fact_id, FactDraft(request.content, before.category), Approval.COMMAND)
        ensure_not_merged(receipt, fact_id)
        body = ChangedOut.of(receipt.row, unit.viewer.user, previous_content=before.words)
        return ApiResponse.of(body, ETag=tag_of(receipt.row))

    async def ask(unit: Unit) -> ApiResponse:
        call.caller.require_scope(Scope.READ)
        present = await facts.own_fact(unit, fact_id)
        ensure_match(if_match, tag_of(present))
        draft = FactDraft(request.content, present.category, present.subject, present.attribute)
        asking = await _draft_for_agent(call, scoping, unit, draft)
        async with unit.in_private() as private:
            await ensure_changed(private, await tool_caller(call, private), asking, present, is_asked=True)
        return await _propose(unit, ProposalKind.UPDATE, asking, present)

    return await call.write(call.caller.viewer(scoping), change if call.caller.is_owner else ask)


async def delete_memory(call: ApiCall, scoping: Scoping, fact_id: str, if_match: str | None = None) -> ApiResponse:
    async def hide(unit: Unit) -> ApiResponse:
        ensure_match(if_match, tag_of(await facts.own_fact(unit, fact_id)))
        receipt = await facts.hide(unit, fact_id, Approval.COMMAND)
        deleted = MemoryOut.of(receipt.before or receipt.row, unit.viewer.user)
        response = ApiResponse.of(DeletedOut(deleted=deleted, undo_until=unit.now + unit.limits.undo))
        return replace(response, forgets=True)

    async def ask(unit: Unit) -> ApiResponse:
        call.caller.require_scope(Scope.READ)
        present = await facts.own_fact(unit, fact_id)
        ensure_match(if_match, tag_of(present))
        if present.content is None:
            raise Refused(Refusal.SEALED)
        draft = FactDraft(present.content, present.category, present.subject, present.attribute)
        return await _propose(unit, ProposalKind.FORGET, await _draft_for_agent(call, scoping, unit, draft), present)

    return await call.write(call.caller.viewer(scoping), hide if call.caller.is_owner else ask)


async def set_visibility(
    call: ApiCall, scoping: Scoping, fact_id: str, request: VisibilityIn, if_match: str | None = None
) -> ApiResponse:
    call.caller.require_owner()
    viewer = call.caller.viewer(
        replace(scoping, space_id=request.space_id or scoping.space_id, channel=Channel.PRIVATE)
    )

    async def work(unit: Unit) -> ApiResponse:
        ensure_match(if_match, tag_of(await facts.own_fact(unit, fact_id)))
        change = facts.share if request.visibility == Visibility.SHARED else facts.unshare
        return _fact_response(unit, (await change(unit, fact_id)).row)

    return await call.write(viewer, work)


async def put_preferences(
    call: ApiCall, scoping: Scoping, request: Preferences, if_match: str | None = None
) -> ApiResponse:
    """Set profile fields. `if_match` is the ETag of a list without limit and cursor."""
    call.caller.require_owner()

    async def work(unit: Unit) -> ApiResponse:
        if if_match is not None:
            await lock_facts(unit)
            ensure_match(if_match, (await _memory_list(unit, FIRST_PAGE)).headers["ETag"])
        receipts = await profile.update_profile(unit, request)
        shown = await _memory_list(unit, FIRST_PAGE)
        response = ApiResponse.of(PreferencesOut(memory=shown.body["memory"]), ETag=shown.headers["ETag"])
        return replace(response, forgets=any(receipt.row.forgotten for receipt in receipts))

    return await call.write(call.caller.viewer(scoping), work)


def ensure_not_merged(receipt: Receipt, fact_id: str) -> None:
    """Raise 409 if the new text equals another fact, in which case nothing was changed."""
    if receipt.row.id != fact_id:
        raise Problem(
            HTTPStatus.CONFLICT,
            "Not changed: another fact already says this.",
            [(f"memory/{receipt.row.id}", "says the same")],
        )


def tag_of(row: FactRow) -> str:
    return f'"{row.id}-{row.version}"'


def _fact_response(unit: Unit, row: FactRow, status: int = HTTPStatus.OK) -> ApiResponse:
    place = {"Location": f"/api/v1/memory/{row.id}"} if status == HTTPStatus.CREATED else {}
    response = ApiResponse.of(MemoryOut.of(row, unit.viewer.user), status, ETag=tag_of(row))
    return replace(response, headers={**response.headers, **place})


async def _draft_for_agent(call: ApiCall, scoping: Scoping, unit: Unit, draft: FactDraft) -> FactDraft:
    """Set the agent as the draft's author. Refuses for a user in manual mode, who does not want proposals."""
    if (await tool_caller(call, unit)).choices.mode == Mode.MANUAL:
        raise Refused(Refusal.ASK_MANUAL_MODE)
    return replace(draft, author=call.caller.agent(scoping) or "api")


async def _propose(unit: Unit, kind: ProposalKind, draft: FactDraft, about: FactRow | None = None) -> ApiResponse:
    """Propose a card. Its owner sees it with the assistant's next reply."""
    card = await proposals.propose(unit, kind, draft, about, author=draft.author or "api", checks_private=True)
    await background_notices.add_cards(unit, f"card/{card.row.id}", [card.row.id])
    return ApiResponse.of(ProposedOut(proposal=ProposalOut.of(card)), HTTPStatus.ACCEPTED)


async def _memory_list(unit: Unit, page: Page) -> ApiResponse:
    shown, total, next_cursor = await facts_page(unit, page)
    body = MemoriesOut(memory=await _profile(unit), memories=shown, total=total, next_cursor=next_cursor)
    return ApiResponse.of(body, ETag=f'"{content_hash(body.model_dump_json())}"')


async def _profile(unit: Unit) -> ProfileOut:
    row = await profile.profile_of(unit)
    return ProfileOut(
        id=unit.viewer.person,
        summary=await overview_of(unit),
        key_topics=[row.name for row in (await topics_of(unit))[:MAX_TOPICS]],
        preferences={name: value for name, value in row.preferences.model_dump(mode="json").items() if value},
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
