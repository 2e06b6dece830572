"""Operations that record an event and build a context bundle."""

from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any

from api.api_call import ApiCall, ApiResponse, ensure_member
from api.name_checks import ensure_no_secrets, ensure_not_reserved
from api.operations.files import BYTES, TEXT, is_file, prepare_file
from api.operations.notes import ensure_note_allowed
from api.problems import Problem
from api.schemas.events import BundleIn, BundleOut, EventIn, EventOut, ItemOut, OmissionOut, SectionOut
from memory import ActorType, EventKind, Sensitivity, Viewer
from memory.concurrency.in_process import in_process
from memory.concurrency.in_thread import in_thread
from memory.context.build import Bundle, BundleOptions, build_bundle
from memory.context.calls import keep_call, prepare_call
from memory.context.items import Item
from memory.context.sections import CAPS, SectionName
from memory.errors import Refused
from memory.events.contents import content_length
from memory.events.record import EventDraft, artifact_of, prepare, record
from memory.events.tags import RESERVED_TAGS, SECONDHAND
from memory.events.tool_results import OUTPUTS
from memory.model.tools.ledger_entries import entry_text
from memory.people.keys import AGENT_USER, API_USER
from memory.people.people import is_known
from memory.people.sessions import conversation_of, enter_session, has_started
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.unit import Unit

# Fields that only the program sets, in any content and in messages.
RESERVED_FIELDS = frozenset({"sealed", "artifact_id", "whole"})
RESERVED_MESSAGE_FIELDS = frozenset({"by", "reply_to", "edits", "file", "artifact"})
MAX_CHARS = 100_000  # not counting a tool's output or a file
NOTE_KINDS = frozenset({EventKind.DECISION, EventKind.TASK_UPDATE})
NO_MESSAGE = Item("", ("",), {})


async def record_event(call: ApiCall, request: EventIn) -> ApiResponse:
    """Record an event with its chunks in the named session.

    What an agent reports about a person may be proposed, but is never stored as a fact unasked. An agent's decision or
    task is checked like a note of the assistant.
    """
    try:
        return await _record(call, request)
    except Refused as refused:
        if refused.field and refused.field not in EventIn.model_fields:
            refused.field = f"content.{refused.field}"
        raise


async def _record(call: ApiCall, request: EventIn) -> ApiResponse:
    caller, viewer = call.caller, call.caller.viewer(request.scoping)
    _validate(request)
    length = content_length(request.content)
    draft = _draft(call, request, viewer)
    prepare_event = prepare_file if request.kind == EventKind.ARTIFACT and is_file(request.content) else prepare
    prepared = await in_process(caller.bearer.admission.key_id, length, prepare_event, draft, call.now)
    agent = caller.agent(request.scoping) or "api"

    async def work(unit: Unit) -> ApiResponse:
        if request.kind in NOTE_KINDS and not caller.is_owner:
            await ensure_note_allowed(call, unit, entry_text(prepared.event.content))
        conversation_id = await enter_session(unit, request.session_id, agent)
        entered = await record(unit, conversation_id, [prepared])
        return ApiResponse.of(
            EventOut(
                event_id=prepared.event.id,
                chunk_ids=[chunk.id for chunk in prepared.chunks],
                created_at=prepared.event.ts,
                redacted=list(prepared.left_out),
                entered=entered[0] if entered else None,
                artifact_id=await artifact_of(unit, prepared.event.id) if prepared.full_output else None,
            ),
            HTTPStatus.CREATED,
        )

    response = await call.write(viewer, work)
    caller.runtime.nudge(viewer)
    return response


def _validate(request: EventIn) -> None:
    if request.sensitivity == "secret":
        raise Problem.about("sensitivity", "Secrets are never stored. Remove it and send the rest.")
    if reserved := RESERVED_TAGS.intersection(request.tags):
        raise Problem.about("tags", f"{', '.join(sorted(reserved))} can be set only by Keepsake.")
    reserved_fields = (
        RESERVED_FIELDS | RESERVED_MESSAGE_FIELDS if request.kind == EventKind.MESSAGE else RESERVED_FIELDS
    )
    for name, chosen in (("actor.id", [request.actor.id]), ("tags", request.tags), ("refs", request.refs)):
        ensure_no_secrets(name, chosen)
    ensure_not_reserved("actor.id", request.actor.id)
    if given := sorted(reserved_fields.intersection(request.content)):
        raise Problem.about(f"content.{given[0]}", "Only Keepsake can set this field.")
    if request.kind == EventKind.MESSAGE and not isinstance(request.content.get("text"), str):
        raise Problem.about("content.text", "A message needs a text.")
    limited = {name: value for name, value in request.content.items() if not _may_be_long(request.kind, name, value)}
    if content_length(limited) > MAX_CHARS:
        exception = "Only the output of a tool_result, and the text or base64 of an artifact, may be longer."
        raise Problem.about("content", f"At most {MAX_CHARS:,} characters are allowed. {exception}")


def _may_be_long(kind: EventKind, name: str, value: Any) -> bool:
    """Whether the field may become an artifact."""
    if kind == EventKind.ARTIFACT:
        return name in {BYTES, TEXT} and isinstance(value, str)
    return kind == EventKind.TOOL_RESULT and name in OUTPUTS


async def build_acb(call: ApiCall, request: BundleIn) -> ApiResponse:
    """Build the context for the next model call, and store its provenance (without texts), so that a reply that names
    the bundle in its refs can be explained.

    A session begins with its first bundle, and pins what is remembered then. So the first bundle is built again after
    the session has begun.
    """
    caller, viewer = call.caller, call.caller.viewer(request.scoping)
    ensure_no_secrets("intent", [request.intent])
    ensure_no_secrets("tags", request.tags)
    # The query may be sent to a remote embedder and is stored in the provenance.
    query = (await in_thread(len(request.query_text), redact, request.query_text)).text
    build = partial(
        build_bundle,
        caller.runtime.memory,
        caller.runtime.vectors,
        viewer,
        conversation_of(viewer, request.session_id),
        query,
        intent=request.intent,
        max_tokens=request.max_tokens,
        now=call.now,
        options=_transcript_options(caller.runtime.bundle_options),
        agent_id=caller.agent(request.scoping),
        tags=request.tags,
        sensitive=await in_thread(len(query), classify, query) == Sensitivity.HIGH,
    )
    bundle = await build()
    if await _begins_session(call, viewer, request, bundle):
        bundle = await build()
        await _begins_session(call, viewer, request, bundle)
    return ApiResponse.of(_bundle_out(bundle))


async def _begins_session(call: ApiCall, viewer: Viewer, request: BundleIn, bundle: Bundle) -> bool:
    """Store the bundle if its session has begun. Otherwise begin the session and return True.

    Nothing is written for an unknown user: asking leaves no trace.
    """
    conversation_id = conversation_of(viewer, request.session_id)
    async with call.caller.runtime.memory.unit(viewer, now=call.now) as unit:
        await ensure_member(unit)
        if await has_started(unit, request.session_id):
            await keep_call(unit, prepare_call(bundle, "", (), (), NO_MESSAGE), conversation_id, ())
            return False
        if not await is_known(unit):
            return False
        await enter_session(unit, request.session_id, call.caller.agent(request.scoping) or "api")
    return True


def _draft(call: ApiCall, request: EventIn, viewer: Viewer) -> EventDraft:
    is_human = request.actor.type == ActorType.HUMAN
    is_user = is_human and request.actor.id in _user_names(viewer)
    content = request.content if is_user or not is_human else {**request.content, "forwarded_from": request.actor.id}
    return EventDraft(
        actor_type=request.actor.type,
        actor_id=viewer.person if is_user else request.actor.id,
        kind=request.kind,
        content=content,
        refs=tuple(request.refs),
        tags=tuple(request.tags) if call.caller.is_owner else (*request.tags, SECONDHAND),
        min_sensitivity=Sensitivity(request.sensitivity),
    )


def _user_names(viewer: Viewer) -> set[str]:
    """The actor ids that mean the user."""
    person = viewer.person
    return {"user", person, person.removeprefix(API_USER).removeprefix(AGENT_USER)}


def _transcript_options(options: BundleOptions) -> BundleOptions:
    """Allow the full evidence section instead of a chat's few tokens, and render messages as a transcript."""
    return replace(options, evidence_tokens=CAPS[SectionName.RETRIEVED_EVIDENCE].tokens, is_transcript=True)


def _bundle_out(bundle: Bundle) -> BundleOut:
    return BundleOut(
        acb_id=bundle.id,
        budget_tokens=bundle.budget_tokens,
        token_used_est=bundle.token_used_est,
        sections=[
            SectionOut(
                name=section.name, items=[_item(section.name, item) for item in section.items], token_est=section.tokens
            )
            for section in bundle.sections
        ],
        omissions=[
            OmissionOut(reason=each.reason, candidates=list(each.candidates), artifact_id=each.artifact_id)
            for each in dict.fromkeys(bundle.omissions)  # parts of one output are listed once
        ],
        provenance=dict(bundle.provenance),
    )


def _item(section: SectionName, item: Item) -> ItemOut:
    is_decision = section == SectionName.DECISION_LEDGER
    return ItemOut(
        type="decision" if is_decision else "text",
        text=item.text,
        refs=list(item.refs),
        decision_id=item.refs[0] if is_decision else None,
    )
