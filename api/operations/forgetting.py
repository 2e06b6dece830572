"""Permanent forgetting, of a part of the memory or of all of it. Only the owner can do this."""

from dataclasses import replace

from api.api_call import ApiCall, ApiResponse
from api.caller import Scoping
from api.problems import Problem
from api.schemas.memory import ErasedOut, ForgetIn, ForgottenOut
from memory import Attribute, Channel
from memory.facts.profile import FIELDS
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget
from memory.unit import Unit


async def forget_some(call: ApiCall, scoping: Scoping, request: ForgetIn) -> ApiResponse:
    call.caller.require_owner()
    attributes = [_attribute(name) for name in request.preference_keys]
    for name, moment in (("since", request.since), ("until", request.until)):
        if moment is not None and moment.tzinfo is None:
            raise Problem.about(name, "A time zone is required, as in 2026-11-01T00:00:00Z.")
    wanted = ForgetRequest(
        request.topics, attributes, request.subject, request.since, request.until, request.clear_summary
    )

    async def work(unit: Unit) -> ApiResponse:
        gone = await forget(unit, wanted)
        removed = [f"topics: {', '.join(gone.topics)}"] if gone.topics else []
        removed += [f"preference: {_name_of(each)}" for each in gone.attributes]
        counted = {
            "facts": gone.facts,
            "messages": gone.messages,
            "summaries": gone.summaries,
            "proposals": gone.cards,
            "decisions": gone.decisions,
            "tasks": gone.tasks,
            "artifacts": gone.artifacts,
            "handoffs": gone.handoffs,
        }
        removed += [f"{name}: {count}" for name, count in counted.items() if count]
        return replace(ApiResponse.of(ForgottenOut(removed=removed)), forgets=True)

    return await call.write(call.caller.viewer(replace(scoping, channel=Channel.PRIVATE)), work)


async def erase_everything(call: ApiCall, scoping: Scoping) -> ApiResponse:
    """Erase every row of the person, including their API keys."""
    call.caller.require_owner()
    viewer = call.caller.viewer(scoping)
    await erase(call.caller.runtime.memory, viewer.tenant, viewer.person)
    call.caller.runtime.recent.forget_person(viewer.person)
    return ApiResponse.of(ErasedOut())


def _attribute(name: str) -> Attribute:
    """Find an attribute by its name in the profile or by its own name."""
    if name in FIELDS:
        return FIELDS[name]
    if name in set(Attribute):
        return Attribute(name)
    raise Problem.about("preference_keys", f"One of {', '.join(FIELDS)}.")


def _name_of(attribute: Attribute) -> str:
    return next(name for name, each in FIELDS.items() if each == attribute)
