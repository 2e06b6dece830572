"""A whole turn stays within the budget: instructions and tools are part of what a request costs."""

from dataclasses import replace
from typing import Any

import pytest

from db.vocabulary import Approval, Category
from memory.context.calls import ModelCall, request_tokens
from memory.facts import facts
from memory.model.loop import MAX_ROUNDS
from memory.turn.answer import fixed_tokens
from memory.turn.chat import Chat
from memory.turn.outcome import NoticeCode, TurnNotice
from tests.integration.bot.conftest import PATIENT, Conversation, Scripted
from tests.scripted_model import Calls, Says

LEAST = 16_000


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What each request that is sent from now on costs."""
    sent: list[int] = []
    keep = ModelCall.record_round

    def counting(call: ModelCall, request: Any, usage: Any) -> None:
        sent.append(request_tokens(request))
        keep(call, request, usage)

    monkeypatch.setattr(ModelCall, "record_round", counting)
    return sent


async def keep_many(chat: Chat) -> None:
    """Facts that would fill the budget by themselves."""
    async with chat.runtime.memory.unit(chat.viewer) as unit:
        for number in range(40):
            words = f"fact number {number}: " + "the old house by the river is blue " * 12
            await facts.remember(unit, facts.FactDraft(words, Category.OTHER), Approval.COMMAND)
    await chat.new_conversation()


@pytest.mark.slow
async def test_a_turn_with_far_too_much_to_say_stays_within_its_tokens(
    offline: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts would fill the budget many times over."""
    sent = counted(monkeypatch)
    chat = offline.chat
    chat.runtime = replace(chat.runtime, settings=PATIENT.model_copy(update={"context_tokens": LEAST}))
    await keep_many(chat)
    for number in range(4):
        await offline.say(f"{number} " + "what do you know about the old house? " * 800)

    assert len(sent) >= 4
    assert 5_000 + fixed_tokens() < max(sent) <= LEAST


@pytest.mark.slow
async def test_a_loop_of_tools_with_long_results_stays_within_its_tokens_too(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results of eight searches would not fit; they are cut to the room that is left, and the calls replay."""
    searching = [Calls("search_memory", {"query": "the old house by the river", "limit": 20})] * MAX_ROUNDS
    async with scripted(*searching, Says(("Enough.",))) as (conversation, model):
        sent = counted(monkeypatch)
        chat = conversation.chat
        chat.runtime = replace(chat.runtime, settings=PATIENT.model_copy(update={"context_tokens": LEAST}))
        await keep_many(chat)
        _, said = await conversation.say("Tell me all about the old house")

        results = [block for message in model.requests[-1]["messages"] for block in message["content"]]
        cut = [block for block in results if "characters left out" in str(block.get("content"))]
        assert sent[-1] > 0.8 * LEAST
        assert max(sent) <= LEAST
        assert len(sent) == len(model.requests)
        assert cut
        assert said.notices == [TurnNotice(NoticeCode.TOO_MANY_STEPS)]
