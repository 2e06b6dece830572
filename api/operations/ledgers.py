"""Decisions, tasks, artifacts, handoffs and views."""

from base64 import b64encode
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus

from api.call import ApiAnswer, ApiCall
from api.caller import Scoping
from api.etags import ensure_same, hash_of, matches, unchanged
from api.name_checks import ensure_harmless
from api.operations.notes import ensure_no_way_around
from api.paging import Page, cut_after, cut_newest, last_shown
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
    Viewer,
    ViewName,
    ViewRow,
    ViewScope,
)
from memory.concurrency.in_thread import in_thread
from memory.errors import KeyMissing, NotFound
from memory.events.record import EventDraft, prepare, record
from memory.language.terms import query_terms
from memory.ledgers import artifacts, decisions, handoff, tasks, views
from memory.ledgers.decisions import MOST_SEARCHED
from memory.model.tools.notes import noted_words
from memory.people.sessions import enter_session
from memory.unit import Unit

Telling = Callable[[Unit, str], Awaitable[ApiAnswer]]

SCOPED = frozenset({"tenant_id", "user_id", "agent_id", "space_id", "channel", "session_id", "refs"})


async def record_decision(call: ApiCall, wish: DecisionIn) -> ApiAnswer:
    async def told(unit: Unit, entered: str) -> ApiAnswer:
        return ApiAnswer.of(DecisionOut.of(await decisions.find(unit, entered)), HTTPStatus.CREATED)

    return await _entered(call, wish, EventKind.DECISION, told)


async def put_task(call: ApiCall, wish: TaskIn) -> ApiAnswer:
    status = HTTPStatus.CREATED if wish.task_id is None else HTTPStatus.OK

    async def told(unit: Unit, entered: str) -> ApiAnswer:
        return ApiAnswer.of(TaskOut.of(await tasks.find(unit, entered)), status)

    return await _entered(call, wish, EventKind.TASK_UPDATE, told)


async def _entered(call: ApiCall, wish: DecisionIn | TaskIn, kind: EventKind, told: Telling) -> ApiAnswer:
    """An event, and with it the row of the ledger. What an agent notes is no way around its owner's word."""
    caller, viewer = call.caller, call.caller.viewer(wish.scoping)
    agent = caller.agent(wish.scoping)
    ensure_harmless("refs", wish.refs)
    actor = (ActorType.HUMAN, viewer.person) if caller.is_owner else (ActorType.AGENT, agent or "api")
    content = wish.model_dump(mode="json", exclude=set(SCOPED), exclude_none=True)
    words = noted_words(content)
    draft = EventDraft(*actor, kind, content, refs=tuple(wish.refs))
    prepared = await in_thread(len(words), prepare, draft, call.now)

    async def work(unit: Unit) -> ApiAnswer:
        if not caller.is_owner:
            await ensure_no_way_around(call, unit, words)
        conversation_id = await enter_session(unit, wish.session_id, agent or "api")
        [entered] = await record(unit, conversation_id, [prepared])
        return await told(unit, entered)

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
) -> ApiAnswer:
    async def work(unit: Unit) -> ApiAnswer:
        if query_terms(words):
            found = await decisions.query(unit, words=words, status=status, scope=scope, limit=MOST_SEARCHED)
            total, (shown, following) = len(found), cut_after(found, lambda row: row.id, page)
        else:
            found, total = await decisions.newest(
                unit, status=status, scope=scope, after=last_shown(page), limit=page.limit + 1
            )
            shown, following = cut_newest(found, lambda row: (row.ts, row.id), page)
        return ApiAnswer.of(
            DecisionsOut(decisions=[DecisionOut.of(row) for row in shown], total=total, next_cursor=following)
        )

    return await call.read(call.caller.viewer(scoping), work)


async def get_artifact(call: ApiCall, scoping: Scoping, artifact_id: str) -> ApiAnswer:
    async def work(unit: Unit) -> ApiAnswer:
        row = await artifacts.find(unit, artifact_id)
        if row.data is None:
            raise KeyMissing("That is sealed, and the key that opens it is missing.")
        told = ArtifactOut(
            artifact_id=row.id,
            kind=row.kind,
            created_at=row.ts,
            meta=row.meta,
            refs=[*row.refs],
            size=len(row.data),
            text=row.data.decode() if row.is_text else None,
            base64=None if row.is_text else b64encode(row.data).decode(),
        )
        return ApiAnswer.of(told)

    return await call.read(call.caller.viewer(scoping), work)


async def hand_over(call: ApiCall, wish: HandoffIn) -> ApiAnswer:
    """Always in the channel `agent`, whatever channel the call names: what a receiver may not load stays behind."""
    call.caller.ensure(Scope.READ)  # what waits and what was decided comes back with it
    viewer = replace(call.caller.viewer(wish.scoping), channel=Channel.AGENT)
    sender = call.caller.agent(wish.scoping)
    ensure_harmless("refs", wish.refs)
    if not sender:
        raise Problem.about("agent_id", "Say which agent hands over.")

    async def work(unit: Unit) -> ApiAnswer:
        if not call.caller.is_owner:
            await ensure_no_way_around(call, unit, f"{wish.goal}\n{wish.notes}")
        row = await handoff.hand_over(
            unit, from_agent=sender, to_agent=wish.to_agent, goal=wish.goal, notes=wish.notes, refs=wish.refs
        )
        return ApiAnswer.of(HandoffOut.of(row), HTTPStatus.CREATED)

    return await call.write(viewer, work)


async def get_view(
    call: ApiCall, scoping: Scoping, name: ViewName, scope: ViewScope, known_tag: str | None = None
) -> ApiAnswer:
    async def work(unit: Unit) -> ApiAnswer:
        found = (await views.get(unit)).get((name, scope))
        if found is None:
            raise NotFound("There is no such view yet.")
        tag = _tag(found)
        return unchanged(tag) if matches(known_tag, tag) else ApiAnswer.of(ViewOut.of(found), ETag=tag)

    return await call.read(call.caller.viewer(scoping), work)


async def put_view(
    call: ApiCall, scoping: Scoping, name: ViewName, scope: ViewScope, wish: ViewIn, wanted_tag: str | None = None
) -> ApiAnswer:
    """By its owner, in private: agents read views, people write them. Writers come one after the other, so the version
    before is known when the next one is written; what was not to be is rolled back."""
    call.caller.ensure_owner()

    async def work(unit: Unit) -> ApiAnswer:
        row = await views.put(unit, name, scope, wish.content)
        before = (await views.history(unit, name, scope))[1:2] if wanted_tag is not None else ()
        ensure_same(wanted_tag, next((_tag(each) for each in before if each.content), None))
        return ApiAnswer.of(ViewOut.of(row), ETag=_tag(row))

    return await call.write(_alone(call.caller.viewer(scoping)), work)


def _alone(viewer: Viewer) -> Viewer:
    return replace(viewer, channel=Channel.PRIVATE)


def _tag(row: ViewRow) -> str:
    """Of its words too: what is forgotten goes out of a version that stands."""
    return f'"{row.name}-{row.scope}-{row.version}-{hash_of(row.content)}"'
