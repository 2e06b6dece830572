"""Records an event, and builds a bundle."""

from dataclasses import replace
from enum import Enum
from functools import partial
from http import HTTPStatus
from typing import Any

from api.call import ApiAnswer, ApiCall, ensure_member
from api.name_checks import ensure_harmless, ensure_not_ours
from api.operations.files import BYTES, TEXT, is_file, prepare_file
from api.operations.notes import ensure_no_way_around
from api.problems import Problem
from api.schemas.events import BundleIn, BundleOut, EventIn, EventOut, ItemOut, OmissionOut, SectionOut
from memory import ActorType, EventKind, Sensitivity, Viewer
from memory.concurrency.in_process import in_process
from memory.concurrency.in_thread import in_thread
from memory.context.build import Bundle, Shape, build_bundle
from memory.context.calls import call_for, keep_call
from memory.context.items import Item
from memory.context.sections import CAPS, SectionName
from memory.errors import Refused
from memory.events.contents import length_of
from memory.events.record import EventDraft, artifact_of, prepare, record
from memory.events.tags import OUR_TAGS, SECONDHAND
from memory.events.tool_results import OUTPUTS
from memory.model.tools.notes import noted_words
from memory.people.keys import AGENT_ITSELF, API_USER
from memory.people.people import is_known
from memory.people.sessions import conversation_of, enter_session, has_begun
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.unit import Unit

# What the program itself tells of a content, and of the words of a message; from outside it would be forged.
TOLD_BY_US = frozenset({"sealed", "artifact_id", "whole"})
TOLD_OF_WORDS = frozenset({"by", "reply_to", "edits", "file", "artifact"})
MOST = 100_000  # characters beside a tool's output or the words of a file
NOTED = frozenset({EventKind.DECISION, EventKind.TASK_UPDATE})
NO_MESSAGE = Item("", ("",), {})


async def record_event(call: ApiCall, wish: EventIn) -> ApiAnswer:
    """An event with its chunks, in the session that it names. What an agent reports of a person is the agent's word: it
    may be asked about, never kept unasked. A decision or task of an agent is a note, by whichever way it comes."""
    try:
        return await _recorded(call, wish)
    except Refused as refused:
        if refused.field and refused.field not in EventIn.model_fields:
            refused.field = f"content.{refused.field}"
        raise


async def _recorded(call: ApiCall, wish: EventIn) -> ApiAnswer:
    caller, viewer = call.caller, call.caller.viewer(wish.scoping)
    _ensure_fit(wish)
    length = length_of(wish.content)
    draft = _draft(call, wish, viewer)
    reads = prepare_file if wish.kind == EventKind.ARTIFACT and is_file(wish.content) else prepare
    prepared = await in_process(caller.bearer.admission.key_id, length, reads, draft, call.now)
    agent = caller.agent(wish.scoping) or "api"

    async def work(unit: Unit) -> ApiAnswer:
        if wish.kind in NOTED and not caller.is_owner:
            await ensure_no_way_around(call, unit, noted_words(prepared.event.content))
        conversation_id = await enter_session(unit, wish.session_id, agent)
        entered = await record(unit, conversation_id, [prepared])
        return ApiAnswer.of(
            EventOut(
                event_id=prepared.event.id,
                chunk_ids=[chunk.id for chunk in prepared.chunks],
                created_at=prepared.event.ts,
                redacted=list(prepared.left_out),
                entered=entered[0] if entered else None,
                artifact_id=await artifact_of(unit, prepared.event.id) if prepared.whole else None,
            ),
            HTTPStatus.CREATED,
        )

    answer = await call.write(viewer, work)
    caller.runtime.nudge(viewer)
    return answer


def _ensure_fit(wish: EventIn) -> None:
    if wish.sensitivity == "secret":
        raise Problem.about("sensitivity", "A secret is never stored. Leave it out, and send the rest.")
    if reserved := OUR_TAGS.intersection(wish.tags):
        raise Problem.about("tags", f"{', '.join(sorted(reserved))} is set by Keepsake alone.")
    ours = TOLD_BY_US | TOLD_OF_WORDS if wish.kind == EventKind.MESSAGE else TOLD_BY_US
    for name, chosen in (("actor.id", [wish.actor.id]), ("tags", wish.tags), ("refs", wish.refs)):
        ensure_harmless(name, chosen)
    ensure_not_ours("actor.id", wish.actor.id)
    if told := sorted(ours.intersection(wish.content)):
        raise Problem.about(f"content.{told[0]}", "It is set by Keepsake alone.")
    if wish.kind == EventKind.MESSAGE and not isinstance(wish.content.get("text"), str):
        raise Problem.about("content.text", "A message needs its words here.")
    beside = {name: value for name, value in wish.content.items() if not _may_be_long(wish.kind, name, value)}
    if length_of(beside) > MOST:
        longer = "Only the output of a tool_result, and the text or base64 of an artifact, may have more."
        raise Problem.about("content", f"It has at most {MOST:,} characters. {longer}")


def _may_be_long(kind: EventKind, name: str, value: Any) -> bool:
    """What becomes an artifact; of a file that is text or bytes."""
    if kind == EventKind.ARTIFACT:
        return name in {BYTES, TEXT} and isinstance(value, str)
    return kind == EventKind.TOOL_RESULT and name in OUTPUTS


async def build_acb(call: ApiCall, wish: BundleIn) -> ApiAnswer:
    """What the next call of a model needs. How it was made is kept, without a word of it: a reply that names it in its
    refs can be explained. A session begins with its first call, and with what is remembered then; so a first bundle is
    built once more, and all others need to look for their session no earlier than where they are written down."""
    caller, viewer = call.caller, call.caller.viewer(wish.scoping)
    ensure_harmless("intent", [wish.intent])
    ensure_harmless("tags", wish.tags)
    # What is searched for may go to an embedder far away, and its words into the provenance.
    asked = (await in_thread(len(wish.query_text), redact, wish.query_text)).text
    building = partial(
        build_bundle,
        caller.runtime.memory,
        caller.runtime.vectors,
        viewer,
        conversation_of(viewer, wish.session_id),
        asked,
        intent=wish.intent,
        max_tokens=wish.max_tokens,
        now=call.now,
        shape=_whole(caller.runtime.shape),
        agent_id=caller.agent(wish.scoping),
        tags=wish.tags,
        sensitive=await in_thread(len(asked), classify, asked) == Sensitivity.HIGH,
    )
    bundle = await building()
    if await _kept(call, viewer, wish, bundle) is BundleKept.BEGUN:
        bundle = await building()
        await _kept(call, viewer, wish, bundle)
    return ApiAnswer.of(_told(bundle))


class BundleKept(Enum):
    YES = "yes"
    BEGUN = "its session only began"
    NOT = "of somebody of whom nothing was ever written, to ask leaves no trace"


async def _kept(call: ApiCall, viewer: Viewer, wish: BundleIn, bundle: Bundle) -> BundleKept:
    conversation_id = conversation_of(viewer, wish.session_id)
    async with call.caller.runtime.memory.unit(viewer, now=call.now) as unit:
        await ensure_member(unit)
        if await has_begun(unit, wish.session_id):
            await keep_call(unit, call_for(bundle, "", (), (), NO_MESSAGE), conversation_id, ())
            return BundleKept.YES
        if not await is_known(unit):
            return BundleKept.NOT
        await enter_session(unit, wish.session_id, call.caller.agent(wish.scoping) or "api")
    return BundleKept.BEGUN


def _draft(call: ApiCall, wish: EventIn, viewer: Viewer) -> EventDraft:
    is_human = wish.actor.type == ActorType.HUMAN
    is_theirs = is_human and wish.actor.id in _own_names(viewer)
    content = wish.content if is_theirs or not is_human else {**wish.content, "forwarded_from": wish.actor.id}
    return EventDraft(
        actor_type=wish.actor.type,
        actor_id=viewer.person if is_theirs else wish.actor.id,
        kind=wish.kind,
        content=content,
        refs=tuple(wish.refs),
        tags=tuple(wish.tags) if call.caller.is_owner else (*wish.tags, SECONDHAND),
        at_least=Sensitivity(wish.sensitivity),
    )


def _own_names(viewer: Viewer) -> set[str]:
    """By which names a call means the user themselves."""
    person = viewer.person
    return {"user", person, person.removeprefix(API_USER).removeprefix(AGENT_ITSELF)}


def _whole(shape: Shape) -> Shape:
    """Not a chat's few tokens of evidence, but all that the section may hold; and not a chat's two roles."""
    return replace(shape, evidence=CAPS[SectionName.RETRIEVED_EVIDENCE].tokens, is_transcript=True)


def _told(bundle: Bundle) -> BundleOut:
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
            for each in dict.fromkeys(bundle.omissions)  # several parts of one output are left out once
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
