"""Answers that were kept for writes that come again: gone as soon as something of their person's is forgotten."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from db.queries.people.requests import begin_request, keep_answer, request_before
from db.viewer import Viewer
from db.vocabulary import Approval, Category, ViewName, ViewScope
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.ledgers import views
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget, purge_own
from memory.unit import Memory, Unit
from tests.conftest import NOON, Meet, wait_until_blocked
from tests.stored import holding
from tests.waiting import STUCK

GREEN = "The garden gate is green"
NAMED = {"key_id": "key_1", "name": "once"}


async def answered(unit: Unit) -> None:
    """A write that named itself, and its answer."""
    assert await begin_request(unit.session, unit.viewer, **NAMED, hash=b"h" * 32, now=unit.now)
    await keep_answer(unit.session, unit.viewer, **NAMED, status=201, answer=GREEN.encode())


async def kept(memory: Memory, viewer: Viewer) -> tuple[int | None, bytes | None]:
    async with memory.unit(viewer, read_only=True) as unit:
        before = await request_before(unit.session, viewer, **NAMED)
    assert before is not None, "that it was done stays known"
    return before.status, before.answer


async def remember(unit: Unit, words: str = GREEN) -> str:
    return (await facts.remember(unit, FactDraft(words, Category.PERSON, subject="gate"), Approval.COMMAND)).row.id


Act = Callable[[Unit, str], Awaitable[object]]


async def hide(unit: Unit, fact_id: str) -> None:
    await facts.hide(unit, fact_id, Approval.COMMAND)


async def undo(unit: Unit, fact_id: str) -> None:
    await history.undo(unit)


async def forget_it(unit: Unit, fact_id: str) -> None:
    await forget(unit, ForgetRequest(subject="gate"))


async def forget_a_time(unit: Unit, fact_id: str) -> None:
    """In which no fact was kept, but something may have been said."""
    await forget(unit, ForgetRequest(until=NOON.replace(year=2020)))


@pytest.mark.parametrize("act", [hide, undo, forget_it, forget_a_time])
async def test_no_answer_is_left_when_something_is_forgotten(
    memory: Memory, ada: Viewer, ben: Viewer, act: Act
) -> None:
    for viewer in (ada, ben):
        async with memory.unit(viewer, now=NOON) as unit:
            fact_id = await remember(unit)
            await answered(unit)
    async with memory.unit(ben, now=NOON) as unit:
        await act(unit, fact_id)

    assert await kept(memory, ben) == (201, None)
    assert await kept(memory, ada) == (201, GREEN.encode()), "whose nothing was forgotten"


async def test_no_answer_is_left_when_what_was_hidden_is_purged(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada, now=NOON) as unit:
        await facts.hide(unit, await remember(unit), Approval.COMMAND)
        await answered(unit)
    async with memory.unit(ada, now=NOON.replace(day=18)) as unit:
        assert await purge_own(unit) == 1

    assert await kept(memory, ada) == (201, None)


async def test_what_is_changed_or_shared_takes_no_answer_with_it(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada, now=NOON) as unit:
        fact_id = await remember(unit)
        await answered(unit)
        await facts.revise(unit, fact_id, FactDraft("The garden gate is red", Category.PERSON), Approval.COMMAND)

    assert await kept(memory, ada) == (201, GREEN.encode())


async def test_erasing_a_person_leaves_no_row_of_theirs(memory: Memory, meet: Meet, superuser_url: str) -> None:
    eve = await meet("eve")
    async with memory.unit(eve, now=NOON) as unit:
        await answered(unit)
    await erase(memory, eve.tenant, eve.person)

    assert {column for table, column in holding(superuser_url, "test:eve") if table == "requests"} == set()


async def test_an_answer_that_is_being_kept_while_its_words_are_hidden_goes_too(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    async with memory.unit(ada, now=NOON) as unit:
        fact_id = await remember(unit)

    async def hide() -> None:
        async with memory.unit(ada, now=NOON) as unit:
            await facts.hide(unit, fact_id, Approval.COMMAND)

    async with memory.unit(ada, now=NOON) as unit:
        await remember(unit)  # which is known already, and told
        hiding = asyncio.create_task(hide())
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        await answered(unit)
    await hiding
    assert await kept(memory, ada) == (201, None)


async def remembers(unit: Unit, number: int) -> None:
    await facts.remember(unit, FactDraft(f"The boat number {number} is red", Category.PERSON), Approval.COMMAND)


async def speaks_of_herself(unit: Unit, number: int) -> None:
    await views.put(unit, ViewName.IDENTITY, ViewScope.USER, f"Number {number}")


async def speaks_of_her_space(unit: Unit, number: int) -> None:
    await views.put(unit, ViewName.RULES, ViewScope.SPACE, f"Number {number}")


@pytest.mark.parametrize("act", [remembers, speaks_of_herself, speaks_of_her_space])
async def test_writes_of_one_person_at_once_wait_for_each_other_and_not_for_ever(
    memory: Memory, ada: Viewer, act: Callable[[Unit, int], Awaitable[None]]
) -> None:
    """Each begins by naming itself, which holds on to the person, and then changes what is kept of them."""
    ready, done = asyncio.Barrier(4), list[int]()

    async def write(number: int) -> None:
        async with memory.unit(ada, now=NOON) as unit:
            await begin_request(unit.session, ada, key_id="key", name=str(number), hash=b"h" * 32, now=NOON)
            await ready.wait()
            await act(unit, number)
        done.append(number)

    async with asyncio.timeout(STUCK):
        await asyncio.gather(*map(write, range(4)))
    assert sorted(done) == [0, 1, 2, 3]
