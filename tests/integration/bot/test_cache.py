"""What a model has read before it reads from its cache: the prefix breaks where the window moves and where something is
forgotten, and nowhere else."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.model.claude.brain import claude
from memory.settings import Settings
from memory.unit import Memory, Unit
from tests.caching_model import MEMORY, WINDOW, CachingModel, Counted, broken
from tests.integration.bot.conftest import PATIENT, Conversation, begin, ensure_every_call_replays
from tests.scripted_model import Calls, Says, Step, serving

MINUTE = 60.0
# Half of what is usual, so that a chat need not be long for its window to move several times.
SHORT = PATIENT.model_copy(update={"window_messages": 14, "window_step": 10})
TURNS = 20
LEAST_SHARE = 0.35  # 0.43 when this was written; with a prefix that breaks in every turn it would be below 0.15
ALWAYS = {"tools", "instructions"}
PLACES = "Lisbon Porto Braga Faro Coimbra Évora Setúbal Aveiro Viseu Leiria".split()
KNOWN = [f"On every {day} I take bus number {number} to work" for number, day in enumerate("Mo Tu We Th Fr".split(), 1)]
CODE = "The door of the cellar opens with the brass key"


class Cached:
    """A conversation with a model whose cache counts, turn by turn; between two turns a minute goes by."""

    def __init__(self, conversation: Conversation, model: CachingModel) -> None:
        self.conversation, self.model = conversation, model
        self.turns: list[list[Counted]] = []

    async def say(self, words: str, *script: Step) -> None:
        self.model.script += script
        self.model.cache.now += MINUTE
        first = len(self.model.counted)
        _, said = await self.conversation.say(words)
        assert (self.model.script, said.failed) == ([], False)
        self.turns.append(self.model.counted[first:])

    async def talk(self, turns: int) -> None:
        for _ in range(turns):
            number = len(self.turns)
            place = PLACES[number % len(PLACES)]
            reply = f"{place} is worth day {number}: {'the old town, the river and the market by the bridge; ' * 8}"
            await self.say(f"What shall we look at in {place} on day {number} of the journey?", Says((reply,)))

    @property
    def share(self) -> float:
        """Of all but tools and instructions, which every call of everybody begins with: how much was read before."""
        calls = [call for turn in self.turns for call in turn]
        fixed = [sum(block.tokens for block in call.blocks if block.place in ALWAYS) for call in calls]
        read = sum(max(call.read - least, 0) for call, least in zip(calls, fixed, strict=True))
        return read / (sum(call.total for call in calls) - sum(fixed))

    @property
    def breaks(self) -> dict[int, str]:
        """Why the prefix broke, by the number of the turn."""
        pairs = zip(self.turns, self.turns[1:], strict=False)
        found = {number: broken(before[0], after[0]) for number, (before, after) in enumerate(pairs, 2)}
        return {number: each.cause for number, each in found.items() if each}


@pytest.fixture
async def cached(memory: Memory, tenant: str) -> AsyncIterator[Cached]:
    model = CachingModel([])
    async with serving(model):
        viewer = Viewer.in_private(tenant, "test:ada")
        brain = claude(Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}))
        conversation = await begin(memory, viewer, brain)
        conversation.chat.runtime = replace(conversation.chat.runtime, settings=SHORT)

        async def know(unit: Unit) -> None:
            for words in (*KNOWN, CODE):
                await facts.remember(unit, FactDraft(words, Category.OTHER), Approval.COMMAND)

        await conversation.chat.do(know)
        await conversation.chat.new_conversation()
        yield Cached(conversation, model)
        await brain.close()
    await ensure_every_call_replays(conversation)


@pytest.mark.slow
async def test_a_long_chat_is_mostly_read_from_the_cache_and_breaks_only_where_it_must(cached: Cached) -> None:
    await cached.talk(3)
    tea = {"content": "I drink green tea in the morning", "category": "preference"}
    await cached.say("Remember that I drink green tea in the morning", Calls("add_to_memory", tea), Says(("Fine.",)))
    await cached.talk(6)
    [known] = [fact for fact in await cached.conversation.facts() if fact.content == CODE]
    forget = Calls("forget_memory", {"memory_id": known.id})
    await cached.say(f"Forget that {CODE}", forget, Says(("As you wish.",)))
    assert known.id not in [fact.id for fact in await cached.conversation.facts()]
    await cached.talk(TURNS - len(cached.turns))

    assert cached.breaks == {8: WINDOW, 12: MEMORY, 13: WINDOW, 18: WINDOW}
    assert cached.share > LEAST_SHARE


async def test_a_round_of_tools_reads_all_that_the_round_before_it_sent(cached: Cached) -> None:
    await cached.talk(3)
    await cached.say("Which bus do I take?", Calls("search_memory", {"query": "bus"}), Says(("Number 3.",)))

    first, second = cached.turns[-1]
    assert (second.read, second.fresh) == (first.total, 0)


async def test_what_is_stored_leaves_the_prefix_as_it_was(cached: Cached) -> None:
    await cached.talk(2)
    tea = {"content": "I drink green tea in the morning", "category": "preference"}
    await cached.say("Remember that I drink green tea in the morning", Calls("add_to_memory", tea), Says(("Fine.",)))
    await cached.talk(2)

    assert cached.breaks == {}


async def test_what_was_stored_moves_from_the_tail_to_the_snapshot_when_the_window_moves(cached: Cached) -> None:
    tea = {"content": "I drink green tea in the morning", "category": "preference"}
    await cached.say("Remember that I drink green tea in the morning", Calls("add_to_memory", tea), Says(("Fine.",)))
    [known] = [fact for fact in await cached.conversation.facts() if fact.content == tea["content"]]
    await cached.talk(6)
    before = shown_in(cached.turns[-1][0], known.id)
    await cached.talk(1)
    after = shown_in(cached.turns[-1][0], known.id)
    milk = {"memory_id": known.id, "content": "I drink green tea with milk in the morning"}
    await cached.say("I drink green tea with milk in the morning.", Calls("update_memory", milk), Says(("Fine.",)))
    await cached.talk(1)

    assert (before, after) == ({"user"}, {"memory"})
    assert shown_in(cached.turns[-1][0], known.id) == {"memory", "user"}
    assert cached.breaks == {8: WINDOW}


def shown_in(call: Counted, fact_id: str) -> set[str]:
    return {block.place for block in call.blocks if f"[id:{fact_id}]" in block.words}


async def test_after_a_long_pause_everything_is_read_anew(cached: Cached) -> None:
    await cached.talk(2)
    cached.model.cache.now += 5 * MINUTE
    await cached.talk(1)

    assert cached.turns[-1][0].read == 0
