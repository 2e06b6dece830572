"""A further front end is a folder of its own and touches nothing else: here is one, as small as one can be, and one
whose messages come through the stored inbox."""

import ast
import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming, UpdateKind
from bot.delivery.outgoing import OutgoingAnswer, OutgoingMessage
from bot.delivery.worker import InboxWorker
from memory import Outcome, Unit, UserMessage
from memory.model.claude.brain import claude
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.turn.open_chat import SenderInfo, open_chat
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests import pager
from tests.integration.bot.conftest import PATIENT
from tests.pager import Pager
from tests.scripted_model import Calls, Says, scripted_model
from tests.waiting import STUCK, eventually

ROSA = {"content": "My sister Rosa lives in Porto", "category": "person", "subject": "Rosa"}
LUIS = {"content": "My brother Luís lives in Braga", "category": "person", "subject": "Luís"}


async def test_a_pager_chats_gets_cards_accepts_them_and_sees_the_receipts(memory: Memory, tenant: str) -> None:
    script = (
        Calls("add_to_memory", ROSA),
        Says(("Porto is lovely.",)),
        Calls("add_to_memory", LUIS),
        Says(("So is Braga.",)),
    )
    async with scripted_model(*script) as model:
        brain = claude(Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}))
        settings = PATIENT.model_copy(update={"tenant": tenant})
        runtime = Runtime(settings, memory, VectorIndex(memory, tenant, None), brain, cannot_revive)
        pager = await Pager.connected(runtime, "0815", "Ada")
        words, asked = await pager.hear(ROSA["content"])
        by_command = await pager.hear(" ".join(asked.split("?")[0].split()))
        await pager.hear(LUIS["content"])
        [_, by_yes] = await pager.hear("yes")
        await brain.close()

    assert words == "Porto is lovely."
    assert asked.endswith(f"? {ROSA['content']}")
    assert by_command == [f"STORED {ROSA['content']}"]
    assert by_yes == f"STORED {LUIS['content']}"


def test_it_knows_the_memory_and_nothing_else_of_ours() -> None:
    source = Path(str(pager.__file__)).read_text()
    modules = {node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}

    assert {module.split(".")[0] for module in modules} & {"api", "bot", "db", "keepsake", "memory"} == {"memory"}
    assert len(source.splitlines()) < 70


class PagerNetwork:
    """A messenger other than Telegram. Keeps what was sent, with the number of the pager."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, str]] = []

    async def send(self, part: OutgoingMessage, *, replaces: int | None, check_lease: Callable[[], None]) -> int:
        check_lease()
        self.sent.append((part.chat, part.text))
        return len(self.sent)

    async def alert(self, query_id: str, text: str) -> None:
        raise AssertionError("a pager has no buttons")


async def test_another_messenger_is_answered_once_through_the_stored_inbox(memory: Memory, tenant: str) -> None:
    """The first process writes the message down and stops; the second one answers it."""
    network = PagerNetwork()
    async with scripted_model(Says(("Porto is lovely.",))) as model:
        brain = claude(Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}))
        settings = PATIENT.model_copy(update={"tenant": tenant})
        runtime = Runtime(settings, memory, VectorIndex(memory, tenant, None), brain, cannot_revive)

        async def handle(delivery: Delivery) -> None:
            said = delivery.incoming
            chat = await open_chat(
                runtime, SenderInfo(said.person, said.place, said.received_at, said.name), "Europe/Lisbon"
            )

            async def show(_: str) -> None:
                """A pager shows what is finished."""

            async def save_answer(unit: Unit | None, outcome: Outcome) -> None:
                await delivery.save_answer(unit, OutgoingAnswer(parts=[delivery.part(outcome.text)]))

            await chat.say(UserMessage(said.text, update_id=said.update_id, post=said.message_id), show, save_answer)

        first, second = (InboxWorker(runtime, network, handle, handle) for _ in range(2))
        said = Incoming(
            update_id=7,
            kind=UpdateKind.MESSAGE,
            received_at=datetime.now(UTC),
            chat=815,
            user=815,
            name="Ada",
            message_id=3,
            text="My sister Rosa lives in Porto",
            messenger="pager",
        )
        for _ in range(2):  # as a messenger offers it again that did not hear that we have it
            await first.save(said)
        await first.stop(0)
        working = asyncio.create_task(second.run())
        await eventually(lambda: network.sent)
        await second.stop(STUCK)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await brain.close()

    assert network.sent == [(815, "Porto is lovely.")]
    assert await second.store.claim(1) == []
