"""A message that breaks its handler is tried three times, then put aside, and its sender told."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest
import pytest_asyncio

from bot import texts
from memory.model.brain import Delta, Finished, Request, TextDelta
from tests.integration.bot.telegram.conftest import Bot, Running
from tests.telegram import Person
from tests.waiting import eventually

pytestmark = pytest.mark.slow

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Fragile:
    """Breaks at a word as often as it is told to."""

    name = "fragile"
    left = 0
    asked = 0
    goes_on: asyncio.Event | None = None
    """Waited for from the second time on."""

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        if "poison" in str(request.messages[-1].blocks[-1]):
            self.asked += 1
            if self.goes_on and self.asked > 1:
                await self.goes_on.wait()
            if self.left:
                self.left -= 1
                raise RuntimeError("poison: words of a person, which no log may hold")
        yield TextDelta("Very well.")
        yield Finished("end_turn")

    async def close(self) -> None:
        """There is nothing to close."""


BRAIN = Fragile()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def offline(begin: Running) -> AsyncIterator[Bot]:
    async with begin(brain=BRAIN) as bot:
        yield bot


async def test_after_three_faults_it_is_parked_and_the_next_message_is_answered(
    offline: Bot, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    BRAIN.left, BRAIN.asked = 99, 0
    said, after = ada.say("this is poison"), ada.say("hello")
    await offline.done(said)
    await offline.done(after)
    rows = {row["update_id"]: row for row in offline.of(ada, "inbox")}
    assert said.update_id is not None
    assert after.update_id is not None
    parked = rows[said.update_id]

    assert [each.text for each in ada.answers()] == [texts.MESSAGE_GIVEN_UP, "Very well."]
    assert (parked["state"], parked["payload"], parked["answer"], parked["why"]) == (
        "parked",
        None,
        None,
        "RuntimeError",
    )
    assert rows[after.update_id]["state"] == "done"
    assert BRAIN.asked == 3
    assert "words of a person" not in caplog.text
    events = [row["content"]["text"] for row in offline.of(ada, "events", "seq")]
    assert events == ["this is poison", "hello", "Very well."]


async def test_a_fault_that_passes_leaves_one_message_and_one_answer(offline: Bot, ada: Person) -> None:
    BRAIN.left, BRAIN.asked = 2, 0
    [told] = await offline.ask(ada, "this is poison")

    assert told.text == "Very well."
    assert [row["content"]["text"] for row in offline.of(ada, "events", "seq")] == ["this is poison", "Very well."]


async def test_others_are_answered_meanwhile(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    BRAIN.left, BRAIN.asked, BRAIN.goes_on = 99, 0, asyncio.Event()
    said = ada.say("this is poison")
    await eventually(lambda: BRAIN.asked == 2)  # it broke once, and is tried again
    [told] = await offline.ask(ben, "hello")

    assert told.text == "Very well."
    assert ada.answers() == []
    BRAIN.goes_on.set()
    await offline.done(said)
    BRAIN.goes_on = None
    assert [each.text for each in ada.answers()] == [texts.MESSAGE_GIVEN_UP]


async def test_in_private_nothing_of_the_poison_is_left(offline: Bot, ada: Person) -> None:
    BRAIN.left, BRAIN.asked = 99, 0
    await offline.ask(ada, "/private")
    [told] = await offline.ask(ada, f"this poison is canary{ada.id}")

    assert told.text == texts.MESSAGE_GIVEN_UP
    assert offline.holding(f"canary{ada.id}") == set()
