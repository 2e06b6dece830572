"""Tasks: they stand across conversations, members move what was said aloud, and words stay with their author."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.errors import WriteRefused
from db.queries.ledgers.tasks import TaskRow, own_tasks
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Channel, EventKind, TaskStatus
from memory.errors import NotFound, Refused
from memory.facts.facts import FactDraft, remember
from memory.ledgers import tasks
from memory.ledgers.tasks import read_task
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.company import aloud, found_together, written
from tests.conftest import NOON

SICK = "Ask about my sister Zelda, she has diabetes"


async def update(memory: Memory, viewer: Viewer, *, day: int = 0, **content: Any) -> TaskRow:
    """Each in a conversation of its own."""
    async with memory.unit(viewer, now=NOON + timedelta(days=day)) as unit:
        event_id = await written(unit, EventKind.TASK_UPDATE, content)
        opened = [row.id for row in await own_tasks(unit.session, viewer) if row.event_id == event_id]
        return await tasks.find(unit, content.get("task_id") or opened[0])


async def waiting(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await tasks.open_tasks(unit, limit=10)]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"status": "done"},
        {"title": ""},
        {"title": "x" * 201},
        {"title": "x", "status": "later"},
        {"title": "x", "due": "tomorrow"},
        {"title": "x", "due": 7},
        {"title": "x", "details": ["y"]},
        {"task_id": "tsk_1"},
    ],
    ids=str,
)
def test_a_content_that_says_nothing_of_a_task_is_refused_in_a_sentence(content: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=r"^Not stored: .*\.$"):
        read_task(content)


async def test_a_task_of_one_conversation_moves_on_in_the_next_and_leaves_when_it_is_done(
    memory: Memory, ada: Viewer
) -> None:
    milk = await update(memory, ada, title="Buy milk", details="two bottles")
    assert milk.id.startswith("tsk_")
    moved = await update(memory, ada, day=1, task_id=milk.id, status="doing")
    assert (moved.status, moved.words, moved.details) == (TaskStatus.DOING, "Buy milk", "two bottles")
    assert await waiting(memory, ada) == ["Buy milk"]

    await update(memory, ada, day=2, task_id=milk.id, status="done")
    assert await waiting(memory, ada) == []
    await update(memory, ada, day=3, task_id=milk.id, status="open", title="Buy oat milk", due="2026-12-01")
    assert await waiting(memory, ada) == ["Buy oat milk"]
    async with memory.unit(ada, read_only=True) as unit:
        assert (await tasks.find(unit, milk.id)).due == date(2026, 12, 1)


async def test_what_is_being_done_comes_first_then_what_is_due_then_the_oldest(memory: Memory, ada: Viewer) -> None:
    for day, (title, status, due) in enumerate(
        [
            ("old", None, None),
            ("new", None, None),
            ("late", None, "2026-12-02"),
            ("soon", None, "2026-12-01"),
            ("now", "doing", None),
        ]
    ):
        await update(memory, ada, day=day, title=title, status=status, due=due)

    assert await waiting(memory, ada) == ["now", "soon", "late", "old", "new"]


async def test_an_unknown_task_and_another_persons_are_the_same_no(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    his = await update(memory, ben, title="his secret plan")
    for name in ("tsk_none", his.id):
        with pytest.raises(NotFound, match=r"There is no such task\."):
            await update(memory, ada, task_id=name, status="done")

    assert await waiting(memory, ben) == ["his secret plan"]


async def test_a_member_moves_a_task_that_was_said_aloud_and_leaves_its_words(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    roses = await update(memory, aloud(ada, space), title="Water the roses")
    for viewer in (aloud(ben, space), replace(ben, space=space)):
        moved = await update(memory, viewer, task_id=roses.id, status="doing", due="2026-12-01")
        assert (moved.status, moved.owner) == (TaskStatus.DOING, ada.person)
        with pytest.raises(Refused, match="You can change its status"):
            await update(memory, viewer, task_id=roses.id, title="Pull out the roses")

    assert await waiting(memory, aloud(ada, space)) == ["Water the roses"]


@pytest.mark.parametrize("change", ["title = 'mine now'", "refs = '{x}'", "sensitivity = 'low'", "details = 'x'"])
async def test_the_database_alone_keeps_the_words_of_a_task_with_their_author(
    memory: Memory, ada: Viewer, ben: Viewer, change: str
) -> None:
    space = await found_together(memory, ada, ben)
    await update(memory, aloud(ada, space), title="Water the roses")
    for viewer in (aloud(ben, space), replace(ben, space=space), replace(ada, space=space)):
        with pytest.raises(WriteRefused, match="changed by their author, where they were said"):
            async with memory.unit(viewer) as unit:
                await unit.session.execute(text(f"UPDATE tasks SET {change}"))


async def test_what_its_author_says_in_private_does_not_turn_up_in_the_group(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    roses = await update(memory, aloud(ada, space), title="Water the roses")
    with pytest.raises(Refused, match="in front of others"):
        await update(memory, ada, task_id=roses.id, details="because Ben forgets it")
    await update(memory, ada, task_id=roses.id, status="done")

    assert await waiting(memory, aloud(ben, space)) == []


async def test_what_is_private_is_moved_by_nobody_else_in_the_space(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    await update(memory, replace(ada, space=space), title="Buy Ben a present")
    for viewer in (aloud(ben, space), replace(ben, space=space)):
        async with memory.unit(viewer) as unit:
            await unit.session.execute(text("UPDATE tasks SET status = 'done'"))

    assert await waiting(memory, ada) == ["Buy Ben a present"]


async def test_a_task_that_becomes_sensitive_is_sealed_from_then_on(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    call = await update(memory, ada, title="Call the doctor")
    sealed = await update(memory, ada, day=1, task_id=call.id, details=SICK)
    assert (sealed.words, sealed.details) == ("Call the doctor", SICK)
    await update(memory, ada, day=2, task_id=call.id, title="Call her again")

    assert await waiting(memory, ada) == ["Call her again"]
    assert await waiting(memory, replace(ada, channel=Channel.AGENT)) == []
    with psycopg.connect(superuser_url) as admin:
        plain = admin.execute("SELECT t::text FROM tasks AS t WHERE tenant_id = %s", (ada.tenant,)).fetchall()
    assert "Zelda" not in str(plain)


async def test_a_task_goes_with_the_event_that_gave_it_its_words(memory: Memory, ada: Viewer) -> None:
    milk = await update(memory, ada, title="Buy milk")
    async with memory.unit(ada) as unit:
        await unit.session.execute(text("SELECT wall.erase_event(:id)").bindparams(id=milk.event_id))

    assert await waiting(memory, ada) == []


async def test_a_forgotten_fact_takes_the_tasks_along_that_repeat_it(memory: Memory, ada: Viewer) -> None:
    await update(memory, ada, title="Write to Alec, her boss")
    await update(memory, ada, title="Call the office", details="Alec is the boss there")
    await update(memory, ada, title="Buy milk")
    async with memory.unit(ada, now=NOON) as unit:
        await remember(unit, FactDraft("Alec is my boss", Category.PERSON, subject="Alec"), Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))

    assert await waiting(memory, ada) == ["Buy milk"]


async def test_a_task_goes_also_when_only_its_earlier_words_are_forgotten(memory: Memory, ada: Viewer) -> None:
    milk = await update(memory, ada, title="Buy milk", details="for the party")
    await update(memory, ada, day=2, task_id=milk.id, title="Buy oat milk")
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(until=NOON + timedelta(days=1)))

    assert await waiting(memory, ada) == []
