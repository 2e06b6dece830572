"""Operations on decisions, tasks, artifacts, handoffs and views."""

from base64 import b64encode
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus

from api.api_call import ApiCall, ApiResponse
from api.caller import Scoping
from api.etags import content_hash, ensure_match, etag_matches, not_modified
from api.name_checks import ensure_no_secrets
from api.operations.notes import ensure_note_allowed
from api.paging import Page, cursor_position, page_by_position, page_newest_first
from api.problems import Problem
from api.schemas.ledgers import (
    ArtifactOut,
    DecisionIn,
    DecisionOut,
    DecisionsOut,
    HandoffIn,
    HandoffOut,
    TaskIn,
    TaskOut,
    ViewIn,
    ViewOut,
)
from memory import (
    ActorType,
    Channel,
    DecisionScope,
    DecisionStatus,
    EventKind,
    Scope,
    ViewName,
    ViewRow,
    ViewScope,
)
from memory.concurrency.in_thread import in_thread
from memory.errors import KeyMissing, NotFound
from memory.events.record import EventDraft, prepare, record
from memory.language.terms import query_terms
from memory.ledgers import artifacts, decisions, handoff, tasks, views
from memory.ledgers.decisions import MAX_SEARCHED
from memory.model.tools.ledger_entries import entry_text
from memory.people.sessions import enter_session
from memory.refusals import Refusal
from memory.unit import Unit

EntryRenderer = Callable[[Unit, str], Awaitable[ApiResponse]]

SCOPED = frozenset({"tenant_id", "user_id", "agent_id", "space_id", "channel", "session_id", "refs"})


async def record_decision(call: ApiCall, request: DecisionIn) -> ApiResponse:
    async def response(unit: Unit, entered: str) -> ApiResponse:
        return ApiResponse.of(DecisionOut.of(await decisions.find(unit, entered)), HTTPStatus.CREATED)

    return await _record_entry(call, request, EventKind.DECISION, response)


async def put_task(call: ApiCall, request: TaskIn) -> ApiResponse:
    status = HTTPStatus.CREATED if request.task_id is None else HTTPStatus.OK

    async def response(unit: Unit, entered: str) -> ApiResponse:
        return ApiResponse.of(TaskOut.of(await tasks.find(unit, entered)), status)

    return await _record_entry(call, request, EventKind.TASK_UPDATE, response)


async def _record_entry(
    call: ApiCall, request: DecisionIn | TaskIn, kind: EventKind, render: EntryRenderer
) -> ApiResponse:
    """An event, and with it the row of the ledger. What an agent notes is no way around its owner's word."""
    caller, viewer = call.caller, call.caller.viewer(request.scoping)
    agent = caller.agent(request.scoping)
    ensure_no_secrets("refs", request.refs)
    actor = (ActorType.HUMAN, viewer.person) if caller.is_owner else (ActorType.AGENT, agent or "api")
    content = request.model_dump(mode="json", exclude=set(SCOPED), exclude_none=True)
    words = entry_text(content)
    draft = EventDraft(*actor, kind, content, refs=tuple(request.refs))
    prepared = await in_thread(len(words), prepare, draft, call.now)

    async def work(unit: Unit) -> ApiResponse:
        if not caller.is_owner:
            await ensure_note_allowed(call, unit, words)
        conversation_id = await enter_session(unit, request.session_id, agent or "api")
        [entered] = await record(unit, conversation_id, [prepared])
        return await render(unit, entered)

    answer = await call.write(viewer, work)
    caller.runtime.nudge(viewer)
    return answer


async def query_decisions(
    call: ApiCall,
    scoping: Scoping,
    *,
    words: str,
    status: DecisionStatus | None,
    scope: DecisionScope | None,
    page: Page,
) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        if query_terms(words):
            found = await decisions.search_decisions(unit, words=words, status=status, scope=scope, limit=MAX_SEARCHED)
            total, (shown, next_cursor) = len(found), page_by_position(found, lambda row: row.id, page)
        else:
            found, total = await decisions.list_decisions(
                unit, status=status, scope=scope, after=cursor_position(page), limit=page.limit + 1
            )
            shown, next_cursor = page_newest_first(found, lambda row: (row.ts, row.id), page)
        return ApiResponse.of(
            DecisionsOut(decisions=[DecisionOut.of(row) for row in shown], total=total, next_cursor=next_cursor)
        )

    return await call.read(call.caller.viewer(scoping), work)


async def get_artifact(call: ApiCall, scoping: Scoping, artifact_id: str) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        row = await artifacts.find(unit, artifact_id)
        if row.data is None:
            raise KeyMissing(Refusal.SEALED)
        body = ArtifactOut(
            artifact_id=row.id,
            kind=row.kind,
            created_at=row.ts,
            meta=row.meta,
            refs=[*row.refs],
            size=len(row.data),
            text=row.data.decode() if row.is_text else None,
            base64=None if row.is_text else b64encode(row.data).decode(),
        )
        return ApiResponse.of(body)

    return await call.read(call.caller.viewer(scoping), work)


async def hand_over(call: ApiCall, request: HandoffIn) -> ApiResponse:
    """Hand over work to another agent. The packet is built in the channel `agent`, so that it holds only what the
    receiver may load."""
    call.caller.require_scope(Scope.READ)  # the response contains open tasks and decisions
    viewer = replace(call.caller.viewer(request.scoping), channel=Channel.AGENT)
    sender = call.caller.agent(request.scoping)
    ensure_no_secrets("refs", request.refs)
    if not sender:
        raise Problem.about("agent_id", "Name the agent that hands over.")

    async def work(unit: Unit) -> ApiResponse:
        if not call.caller.is_owner:
            await ensure_note_allowed(call, unit, f"{request.goal}\n{request.notes}")
        row = await handoff.hand_over(
            unit,
            from_agent=sender,
            to_agent=request.to_agent,
            goal=request.goal,
            notes=request.notes,
            refs=request.refs,
        )
        return ApiResponse.of(HandoffOut.of(row), HTTPStatus.CREATED)

    return await call.write(viewer, work)


async def get_view(
    call: ApiCall, scoping: Scoping, name: ViewName, scope: ViewScope, if_none_match: str | None = None
) -> ApiResponse:
    async def work(unit: Unit) -> ApiResponse:
        view = (await views.get(unit)).get((name, scope))
        if view is None:
            raise NotFound(Refusal.VIEW_NOT_FOUND)
        tag = _tag(view)
        return not_modified(tag) if etag_matches(if_none_match, tag) else ApiResponse.of(ViewOut.of(view), ETag=tag)

    return await call.read(call.caller.viewer(scoping), work)


async def put_view(
    call: ApiCall, scoping: Scoping, name: ViewName, scope: ViewScope, request: ViewIn, if_match: str | None = None
) -> ApiResponse:
    """Write a view as its owner: agents may only read views.

    Writers are serialised by a lock, so If-Match is checked after writing; a mismatch rolls back.
    """
    call.caller.require_owner()

    async def work(unit: Unit) -> ApiResponse:
        row = await views.put(unit, name, scope, request.content)
        before = (await views.history(unit, name, scope))[1:2] if if_match is not None else ()
        ensure_match(if_match, next((_tag(each) for each in before if each.content), None))
        return ApiResponse.of(ViewOut.of(row), ETag=_tag(row))

    return await call.write(replace(call.caller.viewer(scoping), channel=Channel.PRIVATE), work)


def _tag(row: ViewRow) -> str:
    """The ETag covers the content too, because forgetting changes it without a new version."""
    return f'"{row.name}-{row.scope}-{row.version}-{content_hash(row.content)}"'
