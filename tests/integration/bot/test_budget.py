"""A whole turn stays within the budget: instructions and tools are part of what a request costs."""

from dataclasses import replace
from typing import Any

import pytest

from bot.turn import spent_on_every_call
from db.vocabulary import Approval, Category
from memory import facts
from memory.context.calls import Call, request_tokens
from memory.settings import Settings
from tests.integration.bot.conftest import Conversation

LEAST = 16_000


async def test_a_turn_with_far_too_much_to_say_stays_within_its_tokens(
    offline: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts would fill the budget many times over."""
    sent: list[int] = []
    keep = Call.sent

    def counting(call: Call, request: Any, usage: Any) -> None:
        sent.append(request_tokens(request))
        keep(call, request, usage)

    monkeypatch.setattr(Call, "sent", counting)
    chat = offline.chat
    chat.house = replace(chat.house, settings=Settings.model_validate({"KEEPSAKE_CONTEXT_TOKENS": LEAST}))
    async with chat.house.memory.unit(chat.viewer) as unit:
        for number in range(60):
            words = f"fact number {number}: " + "the old house by the river is blue " * 12
            await facts.remember(unit, facts.Draft(words, Category.OTHER), Approval.COMMAND)
    await chat.begin_anew()
    for number in range(6):
        await offline.say(f"{number} " + "what do you know about the old house? " * 800)

    assert len(sent) >= 6
    assert 5_000 + spent_on_every_call() < max(sent) <= LEAST
