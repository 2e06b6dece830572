"""How much of its input the model reads from the prompt cache: a long chat with memory, over the real SDK and HTTP.

    python -m bench.cache [--data FILE.jsonl] [--turns N] [--pace SECONDS] [--minimum TOKENS] [--embedder NAME]

The model's server is tests/caching_model.py. It applies the rules of the prompt cache to the bytes that it receives,
counts tokens by its own rule, and has a simulated clock. A prefix break is a turn whose first call reads less from the
cache than the previous turn left there to be read.

Between two messages the passes for summaries and extractions run, with a scripted model (bench/background_model.py)
whose tokens are counted separately. It extracts no facts, because unanswered cards would not change any prompt.
"""

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean

from bench.background_model import background_model, open_passes, settings_for
from bench.conversations import FORMAT_HELP, Conversation, default_file, read
from bench.database import bench_memory
from bench.recall import record_history
from bench.report import Figure, goal, percentile, report
from bench.scripted_chat import INITIAL_FACTS, ScriptedTurn, history_before, scripted_chat
from db.viewer import Viewer
from db.vocabulary import Approval
from memory.consolidation.passes import Passes
from memory.context.build import build_bundle
from memory.context.sections import SECTIONS, SectionName
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.model.claude.brain import claude
from memory.retrieval.embedders.factory import make_embedder
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.turn.chat import Chat
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.caching_model import (
    MEMORY,
    MINIMUM,
    OTHER,
    WINDOW,
    Break,
    CachingModel,
    Counted,
    PrefixCache,
    broken,
    tokens_of,
)
from tests.scripted_model import Usage, serving

TURNS, PACE, SECONDS_PER_CALL, TIMED = 200, 60.0, 3.0, 5
MIN_SHARE, BREAK_INTERVAL = 0.90, 20
# Cost of writing and reading a cached token relative to a plain input token, and the dollar price of the latter.
WRITE, READ, DOLLARS = 1.25, 0.10, 3.0 / 1_000_000
ADA = "bench:ada"


@dataclass
class Measured:
    turns: list[list[Counted]] = field(default_factory=list)
    breaks: list[tuple[int, Break]] = field(default_factory=list)
    messages: int = 0
    bundle_ms: list[float] = field(default_factory=list)
    receipts: int = 0
    cards: int = 0
    failed: int = 0
    versions: int = 0
    apart: Sequence[Usage] = ()

    @property
    def calls(self) -> list[Counted]:
        return [call for turn in self.turns for call in turn]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cache")
    parser.add_argument("--data", type=Path, help=FORMAT_HELP)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--pace", type=float, default=PACE, help="seconds from one message to the next, on average")
    parser.add_argument("--minimum", type=int, default=MINIMUM, help="tokens from which on a prefix is cached")
    parser.add_argument("--embedder", default="bundled", help="bundled or off")
    parser.add_argument("--profile", action="store_true", help="show what differed at every break")
    args = parser.parse_args(arguments)
    path = args.data or default_file()
    conversations = list(read(path))
    turns = scripted_chat(conversations, args.turns, args.pace)
    measured = asyncio.run(measure(history_before(conversations), turns, PrefixCache(args.minimum), args.embedder))
    if args.profile:
        profile(turns, measured)
    report("cache", figures_of(measured))


async def measure(history: Conversation, turns: Sequence[ScriptedTurn], cache: PrefixCache, embedder: str) -> Measured:
    """Run the chat after `history` was recorded in earlier conversations, so that recall has something to find."""
    model = CachingModel([], cache=cache, keeps=background_model(finds_facts=False))
    async with bench_memory() as (memory, _), serving(model):
        # The long recall deadline keeps a busy machine from changing what is sent.
        settings = settings_for(model, KEEPSAKE_EMBEDDER=embedder, KEEPSAKE_RECALL_MS="10000")
        viewer = Viewer.in_private(settings.tenant, ADA)
        vectors = VectorIndex(memory, viewer.tenant, make_embedder(settings), progress=lambda _: None)
        async with open_passes(memory, settings, vectors.local_embedder) as passes:
            await record_history(memory, viewer, history)
            await consolidate(passes, datetime.now(UTC))
            model.apart.clear()
            chat = await begin(memory, viewer, settings, vectors)
            try:
                return await talk(chat, model, passes, turns)
            finally:
                await vectors.close()
                await chat.runtime.brain.close()


async def consolidate(passes: Passes, now: datetime) -> int:
    made = await passes.summaries(now)
    await passes.extractions(now)
    return made


async def begin(memory: Memory, viewer: Viewer, settings: Settings, vectors: VectorIndex) -> Chat:
    async with memory.unit(viewer) as unit:
        for category, words, subject in INITIAL_FACTS:
            await facts.remember(unit, FactDraft(words, category, subject=subject), Approval.COMMAND)
    chat = Chat(Runtime(settings, memory, vectors, claude(settings), cannot_revive), viewer)
    await chat.begin(name="Ada", timezone="Europe/Lisbon")
    return chat


async def talk(chat: Chat, model: CachingModel, passes: Passes, turns: Sequence[ScriptedTurn]) -> Measured:
    measured = Measured(apart=model.apart)
    for number, turn in enumerate(turns, 1):
        measured.versions += await consolidate(passes, datetime.now(UTC) + timedelta(seconds=turn.pause))
        if chat.runtime.vectors.current:
            await chat.runtime.vectors.backfill(chat.viewer)
        model.cache.now += turn.pause
        if number % TIMED == 0:
            measured.bundle_ms.append(await bundle_time(chat, turn.words))
        model.script = list(turn.script)
        first = len(model.counted)
        outcome = await chat.say(turn.words, _ignore)
        await chat.mark_cards_shown(outcome.cards)
        measured.messages += 1 + bool(turn.script)
        measured.receipts += len(outcome.receipts)
        measured.cards += len(outcome.cards)
        measured.failed += outcome.failed or bool(model.script)
        if calls := model.counted[first:]:
            if measured.turns and (found := broken(measured.turns[-1][0], calls[0])):
                measured.breaks.append((number, found))
            measured.turns.append(calls)
            model.cache.now += SECONDS_PER_CALL * len(calls)
    return measured


async def _ignore(_: str) -> None:
    return


async def bundle_time(chat: Chat, words: str) -> float:
    """Milliseconds to build the bundle for a message."""
    runtime = chat.runtime
    started = time.perf_counter()
    await build_bundle(
        runtime.memory,
        runtime.vectors,
        chat.viewer,
        chat.conversation_id,
        words,
        intent="chat",
        max_tokens=runtime.bundle_options.max_tokens,
        now=datetime.now(UTC),
        options=runtime.bundle_options,
    )
    return (time.perf_counter() - started) * 1000


def figures_of(measured: Measured) -> list[Figure]:
    calls = measured.calls
    total, read = sum(call.total for call in calls), sum(call.read for call in calls)
    written, fresh = sum(call.written for call in calls), sum(call.fresh for call in calls)
    share, rate = read / total, len(measured.breaks) * BREAK_INTERVAL / measured.messages
    causes = Counter(found.cause for _, found in measured.breaks)
    firsts = [turn[0] for turn in measured.turns]
    with_cache = fresh + WRITE * written + READ * read
    tools = f"{len(calls) - len(firsts)} of them rounds of tools; {measured.messages} messages"
    wrote = f"{measured.receipts} receipts, {measured.cards} cards"
    return [
        Figure("calls of the model", len(calls), "", tools),
        Figure("changes of memory", measured.receipts, "", wrote + _failed(measured.failed)),
        Figure("share of input read from the cache", share, "", goal(f">= {MIN_SHARE:.2f}", is_met=share >= MIN_SHARE)),
        Figure("the same, first call of a turn", sum(f.read for f in firsts) / sum(f.total for f in firsts), ""),
        Figure("prefix breaks in 20 messages", rate, "", goal("<= 1", is_met=rate <= 1)),
        Figure("prefix breaks", len(measured.breaks), ""),
        *(Figure(f"  {cause}", causes[cause], "") for cause in (WINDOW, MEMORY, OTHER)),
        Figure("tokens of input", total, "", "by the server's own rule, see there"),
        Figure("tokens read from the cache", read, ""),
        Figure("tokens written to the cache", written, ""),
        Figure("tokens neither read nor written", fresh, ""),
        Figure("tools and instructions", mean(until(f, "instructions") for f in firsts), "", "tokens"),
        Figure("the same and the snapshot", mean(until(f, "memory") for f in firsts), "", "tokens"),
        Figure("the same and the settled window", mean(f.settled[-1].upto for f in firsts), "", "tokens on average"),
        Figure(
            "the tail with the message", mean(f.total - f.settled[-1].upto for f in firsts), "", "tokens on average"
        ),
        Figure("of it what was recalled", mean(map(recalled, firsts)), "", "tokens on average"),
        Figure(
            "cost of input with the cache", with_cache * DOLLARS, "$", f"{with_cache / total:.2f} x the one without"
        ),
        Figure("cost of input without", total * DOLLARS, "$", f"at {DOLLARS * 1e6:.0f} $ a million tokens"),
        Figure("calls for summaries and facts", len(measured.apart), "", f"{measured.versions} summaries were made"),
        Figure("tokens of input of these", sum(each["input_tokens"] for each in measured.apart), ""),
        Figure("tokens of their answers", sum(each["output_tokens"] for each in measured.apart), ""),
        Figure(
            "one bundle with recall, p50",
            percentile(measured.bundle_ms, 50),
            "ms",
            "recall has all the time it wants here",
        ),
        Figure("one bundle with recall, p95", percentile(measured.bundle_ms, 95), "ms"),
    ]


def until(call: Counted, place: str) -> int:
    """Tokens up to the end of the last block in a part of the prompt."""
    return max((block.upto for block in call.blocks if block.place == place), default=0)


def recalled(call: Counted) -> int:
    """Tokens of the recalled evidence, the last section of the tail."""
    _, _, evidence = call.blocks[-2].words.partition(SECTIONS[SectionName.RETRIEVED_EVIDENCE].heading)
    return tokens_of({"text": evidence}) if evidence else 0


def _failed(count: int) -> str:
    return f"; {count} TURNS FAILED" if count else ""


def profile(turns: Sequence[ScriptedTurn], measured: Measured) -> None:
    for number, found in measured.breaks:
        print(f"turn {number:>3} ({turns[number - 1].kind}): {found.cause}, {found.lost} tokens lost in {found.place}")
        print(f"    before: {found.before[:100]!r}\n    after:  {found.after[:100]!r}")
    for kind in sorted({turn.kind for turn in turns}):
        print(f"{kind}: {sum(turn.kind == kind for turn in turns)} turns")


if __name__ == "__main__":
    main()
