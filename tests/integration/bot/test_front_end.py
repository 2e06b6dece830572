"""A further front end is a folder of its own and touches nothing else: here is one, as small as one can be."""

import ast
from pathlib import Path

from memory.model.claude.brain import claude
from memory.retrieval.vectors import Vectors
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import House, leave_it
from tests import pager
from tests.integration.bot.conftest import PATIENT
from tests.pager import Pager
from tests.scripted_model import Calls, Says, scripted_model

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
        house = House(settings, memory, Vectors(memory, tenant, None), brain, leave_it)
        pager = await Pager.connected(house, "0815", "Ada")
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
