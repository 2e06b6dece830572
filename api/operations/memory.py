"""What is remembered: read by whoever may, changed by its owner; an agent's wish becomes a card."""

from dataclasses import replace
from http import HTTPStatus

from api.call import ApiAnswer, ApiCall
from api.caller import Scoping
from api.etags import ensure_same, hash_of, matches, unchanged
from api.operations.notes import told_to_readers, toolwise
from api.paging import FIRST, Page, cut, moment_key
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
from memory.turn import background_notices
from memory.unit import Unit

MOST_TOPICS = 50


async def list_memory(call: ApiCall, scoping: Scoping, page: Page, known_tag: str | None = None) -> ApiAnswer:
    """The profile of 001 and the list of 004 together."""

    async def work(unit: Unit) -> ApiAnswer:
        told = await _listing(unit, page)
        tag = told.headers["ETag"]
        return unchanged(tag) if matches(known_tag, tag) else told

    return await call.read(call.caller.viewer(scoping), work)


async def facts_of_space(call: ApiCall, scoping: Scoping, page: Page) -> ApiAnswer:
    """What is known in a space: the viewer's own facts there, and what its members share."""

    async def work(unit: Unit) -> ApiAnswer:
        shown, total, following = await listed(unit, page)
        return ApiAnswer.of(FactsOut(facts=shown, total=total, next_cursor=following))

    return await call.read(call.caller.viewer(scoping), work)


async def listed(unit: Unit, page: Page) -> tuple[list[MemoryOut], int, str | None]:
    """One page of what the viewer may read, in snapshot order; only these are opened."""
    rows = await listing.unopened(unit)
    shown, following = cut(rows, lambda row: (row.category, moment_key(row.created_at), row.id), page)
    return [MemoryOut.of(row, unit.viewer.user) for row in await unit.vault.opened(shown)], len(rows), following


async def get_memory(call: ApiCall, scoping: Scoping, fact_id: str, known_tag: str | None = None) -> ApiAnswer:
    """One fact with its history."""

    async def work(unit: Unit) -> ApiAnswer:
        row = await facts.readable_fact(unit, fact_id)
        if matches(known_tag, tag_of(row)):
            return unchanged(tag_of(row))
        versions = [VersionOut.of(each) for each in await history.history(unit, fact_id)]
        return ApiAnswer.of(HistoryOut.of(row, unit.viewer.user, versions=versions), ETag=tag_of(row))

    return await call.read(call.caller.viewer(scoping), work)


async def create_memory(call: ApiCall, scoping: Scoping, wish: CreateMemoryIn) -> ApiAnswer:
    draft = FactDraft(wish.content, wish.category, wish.subject, wish.attribute)

    async def store(unit: Unit) -> ApiAnswer:
        receipt = await facts.remember(unit, draft, Approval.COMMAND, separate=wish.separate, replaces=False)
        known = receipt.kind == ReceiptKind.KNOWN
        return _kept(unit, receipt.row, HTTPStatus.OK if known else HTTPStatus.CREATED)

    async def ask(unit: Unit) -> ApiAnswer:
        asking = await _asking(call, scoping, unit, replace(draft, content=facts.fit_to_keep(draft.content)))
        with told_to_readers(call, "Not asked: this is known, was asked already, or is not wanted."):
            async with unit.in_private() as private:
                await ensure_new(private, await toolwise(call, private), asking)
            return await _asked(unit, ProposalKind.ADD, asking)

    return await call.write(call.caller.viewer(scoping), store if call.caller.is_owner else ask)


async def update_memory(
    call: ApiCall, scoping: Scoping, fact_id: str, wish: UpdateMemoryIn, wanted_tag: str | None = None
) -> ApiAnswer:
    async def change(unit: Unit) -> ApiAnswer:
        before = await facts.own_fact(unit, fact_id)
        ensure_same(wanted_tag, tag_of(before))
        receipt = await facts.revise(unit, fact_id, FactDraft(wish.content, before.category), Approval.COMMAND)
        ensure_this_one(receipt, fact_id)
        told = ChangedOut.of(receipt.row, unit.viewer.user, previous_content=before.words)
        return ApiAnswer.of(told, ETag=tag_of(receipt.row))

    async def ask(unit: Unit) -> ApiAnswer:
        call.caller.ensure(Scope.READ)
        present = await facts.own_fact(unit, fact_id)
        ensure_same(wanted_tag, tag_of(present))
        draft = FactDraft(wish.content, present.category, present.subject, present.attribute)
        asking = await _asking(call, scoping, unit, draft)
        async with unit.in_private() as private:
            await ensure_changed(private, await toolwise(call, private), asking, present, is_asked=True)
        return await _asked(unit, ProposalKind.UPDATE, asking, present)

    return await call.write(call.caller.viewer(scoping), change if call.caller.is_owner else ask)


async def delete_memory(call: ApiCall, scoping: Scoping, fact_id: str, wanted_tag: str | None = None) -> ApiAnswer:
    async def hide(unit: Unit) -> ApiAnswer:
        ensure_same(wanted_tag, tag_of(await facts.own_fact(unit, fact_id)))
        receipt = await facts.hide(unit, fact_id, Approval.COMMAND)
        told = MemoryOut.of(receipt.before or receipt.row, unit.viewer.user)
        gone = ApiAnswer.of(DeletedOut(deleted=told, undo_until=unit.now + unit.limits.undo))
        return replace(gone, forgets=True)

    async def ask(unit: Unit) -> ApiAnswer:
        call.caller.ensure(Scope.READ)
        present = await facts.own_fact(unit, fact_id)
        ensure_same(wanted_tag, tag_of(present))
        if present.content is None:
            raise Refused("That is sealed, and the key that opens it is missing.")
        draft = FactDraft(present.content, present.category, present.subject, present.attribute)
        return await _asked(unit, ProposalKind.FORGET, await _asking(call, scoping, unit, draft), present)

    return await call.write(call.caller.viewer(scoping), hide if call.caller.is_owner else ask)


async def set_visibility(
    call: ApiCall, scoping: Scoping, fact_id: str, wish: VisibilityIn, wanted_tag: str | None = None
) -> ApiAnswer:
    call.caller.ensure_owner()
    viewer = call.caller.viewer(replace(scoping, space_id=wish.space_id or scoping.space_id, channel=Channel.PRIVATE))

    async def work(unit: Unit) -> ApiAnswer:
        ensure_same(wanted_tag, tag_of(await facts.own_fact(unit, fact_id)))
        change = facts.share if wish.visibility == Visibility.SHARED else facts.unshare
        return _kept(unit, (await change(unit, fact_id)).row)

    return await call.write(viewer, work)


async def put_preferences(
    call: ApiCall, scoping: Scoping, wish: Preferences, wanted_tag: str | None = None
) -> ApiAnswer:
    """Only if it is still what a list without a limit or cursor showed, where its tag is given."""
    call.caller.ensure_owner()

    async def work(unit: Unit) -> ApiAnswer:
        if wanted_tag is not None:
            await lock_facts(unit)
            ensure_same(wanted_tag, (await _listing(unit, FIRST)).headers["ETag"])
        receipts = await profile.put(unit, wish)
        shown = await _listing(unit, FIRST)
        told = ApiAnswer.of(PreferencesOut(memory=shown.body["memory"]), ETag=shown.headers["ETag"])
        return replace(told, forgets=any(receipt.row.forgotten for receipt in receipts))

    return await call.write(call.caller.viewer(scoping), work)


def ensure_this_one(receipt: Receipt, fact_id: str) -> None:
    """A change to the words of another fact would make one of two, and has changed nothing."""
    if receipt.row.id != fact_id:
        raise Problem(
            HTTPStatus.CONFLICT,
            "Not changed: another fact has these words already.",
            [(f"memory/{receipt.row.id}", "it says the same")],
        )


def tag_of(row: FactRow) -> str:
    return f'"{row.id}-{row.version}"'


def _kept(unit: Unit, row: FactRow, status: int = HTTPStatus.OK) -> ApiAnswer:
    place = {"Location": f"/api/v1/memory/{row.id}"} if status == HTTPStatus.CREATED else {}
    told = ApiAnswer.of(MemoryOut.of(row, unit.viewer.user), status, ETag=tag_of(row))
    return replace(told, headers={**told.headers, **place})


async def _asking(call: ApiCall, scoping: Scoping, unit: Unit, draft: FactDraft) -> FactDraft:
    """A draft in the name of the agent that asks; who keeps things by their own word only is not asked."""
    if (await toolwise(call, unit)).choices.mode == Mode.MANUAL:
        raise Refused("Not asked: this user has things kept by their own word only.")
    return replace(draft, author=call.caller.agent(scoping) or "api")


async def _asked(unit: Unit, kind: ProposalKind, draft: FactDraft, about: FactRow | None = None) -> ApiAnswer:
    """A card, of which its owner is told with the next answer."""
    card = await proposals.propose(unit, kind, draft, about, author=draft.author or "api", looks_alone=True)
    await background_notices.add_cards(unit, f"card/{card.row.id}", [card.row.id])
    return ApiAnswer.of(ProposedOut(proposal=ProposalOut.of(card)), HTTPStatus.ACCEPTED)


async def _listing(unit: Unit, page: Page) -> ApiAnswer:
    shown, total, following = await listed(unit, page)
    told = MemoriesOut(memory=await _profile(unit), memories=shown, total=total, next_cursor=following)
    return ApiAnswer.of(told, ETag=f'"{hash_of(told.model_dump_json())}"')


async def _profile(unit: Unit) -> ProfileOut:
    found = await profile.profile_of(unit)
    return ProfileOut(
        id=unit.viewer.person,
        summary=await overview_of(unit),
        key_topics=[row.name for row in (await topics_of(unit))[:MOST_TOPICS]],
        preferences={name: value for name, value in found.preferences.model_dump(mode="json").items() if value},
        created_at=found.began,
        updated_at=found.changed,
    )
