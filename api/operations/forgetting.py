"""Forgets for good, some of what is remembered or everything; only its owner can."""

from dataclasses import replace

from api.call import ApiAnswer, ApiCall
from api.caller import Scoping
from api.problems import Problem
from api.schemas.memory import ErasedOut, ForgetIn, ForgottenOut
from memory import Attribute, Channel
from memory.facts.profile import FIELDS
from memory.privacy.forgetting.forget import Wish, erase, forget
from memory.unit import Unit


async def forget_some(call: ApiCall, scoping: Scoping, wish: ForgetIn) -> ApiAnswer:
    call.caller.ensure_owner()
    attributes = [_attribute(name) for name in wish.preference_keys]
    for name, moment in (("since", wish.since), ("until", wish.until)):
        if moment is not None and moment.tzinfo is None:
            raise Problem.about(name, "A moment needs its time zone, such as 2026-11-01T00:00:00Z.")
    wanted = Wish(wish.topics, attributes, wish.subject, wish.since, wish.until, wish.clear_summary)

    async def work(unit: Unit) -> ApiAnswer:
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
        return replace(ApiAnswer.of(ForgottenOut(removed=removed)), forgets=True)

    return await call.write(call.caller.viewer(replace(scoping, channel=Channel.PRIVATE)), work)


async def erase_everything(call: ApiCall, scoping: Scoping) -> ApiAnswer:
    """Every row of the person, with the keys that are theirs: whoever asks again is nobody here."""
    call.caller.ensure_owner()
    viewer = call.caller.viewer(scoping)
    await erase(call.caller.runtime.memory, viewer.tenant, viewer.person)
    call.caller.runtime.recent.forget_person(viewer.person)
    return ApiAnswer.of(ErasedOut())


def _attribute(name: str) -> Attribute:
    """By its name in the profile, or by its own."""
    if name in FIELDS:
        return FIELDS[name]
    if name in set(Attribute):
        return Attribute(name)
    raise Problem.about("preference_keys", f"One of {', '.join(FIELDS)}.")


def _name_of(attribute: Attribute) -> str:
    return next(name for name, each in FIELDS.items() if each == attribute)
