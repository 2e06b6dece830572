"""How much of what a model reads it had read before: a long chat through the real turn, SDK and HTTP, with memory.

    python -m bench.cache [--data FILE.jsonl] [--turns N] [--pace SECONDS] [--minimum TOKENS] [--embedder NAME]

The model's server is tests/caching_model.py: it applies the rules of the prompt cache to the bytes that it gets and
counts tokens by its own rule. Its clock moves by the pace. A prefix break is a turn whose first call reads less from
the cache than the call before it had settled.

In the pause between two messages the passes run that make summaries and look for facts; a scripted record keeper
answers them (bench/keeper.py). That is another model: what it takes is told apart. It finds no facts, for a card that
nobody answers changes no prompt.
"""

import argparse
import asyncio
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean, quantiles

from bench.chatter import KNOWN, ScriptedTurn, chat, earlier
from bench.conversations import Conversation, default_files, read
from bench.runtime import bench_memory
from bench.keeper import keeper
from bench.recall import write_down
from bench.report import Figure, report
from db.viewer import Viewer
from db.vocabulary import Approval
from memory.consolidation.extraction.likeness import Likeness
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.context.build import build_bundle
from memory.context.sections import SECTIONS, SectionName
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.metrics import Metrics
from memory.model.choice import structured_llm_from
from memory.model.claude.brain import claude
from memory.retrieval.embedders.choice import embedder_from
from memory.retrieval.vectors import Vectors
from memory.settings import Settings
from memory.settings.environment import load_settings
from memory.turn.chat import Chat
from memory.unit import Memory
from memory.wiring import Runtime, leave_it
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

TURNS, PACE, A_ROUND, TIMED = 200, 60.0, 3.0, 5
SHARE, MESSAGES_A_BREAK = 0.90, 20
# Relative to a plain token of input; the price of one, as of Claude Sonnet, is for the sum in dollars only.
WRITE, READ, DOLLARS = 1.25, 0.10, 3.0 / 1_000_000
ADA = "bench:ada"


@dataclass
class Measured:
    """Everything that was sent, turn by turn."""

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
    parser.add_argument("--data", type=Path, help="in the format of bench/data/conversations.jsonl")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--pace", type=float, default=PACE, help="seconds from one message to the next, on average")
    parser.add_argument("--minimum", type=int, default=MINIMUM, help="tokens from which on a prefix is cached")
    parser.add_argument("--embedder", default="bundled", help="bundled or off")
    parser.add_argument("--profile", action="store_true", help="tell what differed at every break")
    chosen = parser.parse_args(arguments)
    path = chosen.data or next(iter(sorted(default_files(), key=lambda path: "locomo" not in path.name)))
    conversations = list(read(path))
    turns = chat(conversations, chosen.turns, chosen.pace)
    measured = asyncio.run(measure(earlier(conversations), turns, PrefixCache(chosen.minimum), chosen.embedder))
    if chosen.profile:
        profile(turns, measured)
    report("cache", summed_up(measured))


async def measure(before: Conversation, turns: Sequence[ScriptedTurn], cache: PrefixCache, embedder: str) -> Measured:
    """`before` was said in earlier conversations, so that recall has something to find."""
    model = CachingModel([], cache=cache, keeps=keeper(finds=False))
    async with bench_memory() as (memory, _), serving(model):
        settings = load_settings(
            {
                **os.environ,
                "ANTHROPIC_API_KEY": "bench",
                "ANTHROPIC_BASE_URL": model.url,
                "KEEPSAKE_EMBEDDER": embedder,
                "KEEPSAKE_RECALL_MS": "10000",  # a busy machine must not change what is sent
            },
            Path(os.devnull),
        )
        viewer = Viewer.in_private(settings.tenant, ADA)
        vectors = Vectors(memory, viewer.tenant, embedder_from(settings), progress=lambda _: None)
        llm = structured_llm_from(settings)
        passes = Passes(Jobs(memory, settings, llm, Likeness(vectors.at_home), Metrics()))
        await write_down(memory, viewer, before)
        await consolidate(passes, datetime.now(UTC))
        model.apart.clear()
        chatting = await begin(memory, viewer, settings, vectors)
        try:
            return await talk(chatting, model, passes, turns)
        finally:
            await vectors.close()
            await chatting.runtime.brain.close()
            if llm is not None:
                await llm.close()


async def consolidate(passes: Passes, now: datetime) -> int:
    made = await passes.summaries(now)
    await passes.extractions(now)
    return made


async def begin(memory: Memory, viewer: Viewer, settings: Settings, vectors: Vectors) -> Chat:
    async with memory.unit(viewer) as unit:
        for category, words, subject in KNOWN:
            await facts.remember(unit, FactDraft(words, category, subject=subject), Approval.COMMAND)
    chatting = Chat(Runtime(settings, memory, vectors, claude(settings), leave_it), viewer)
    await chatting.begin(name="Ada", timezone="Europe/Lisbon")
    return chatting


async def talk(chatting: Chat, model: CachingModel, passes: Passes, turns: Sequence[ScriptedTurn]) -> Measured:
    measured = Measured(apart=model.apart)
    for number, turn in enumerate(turns, 1):
        measured.versions += await consolidate(passes, datetime.now(UTC) + timedelta(seconds=turn.pause))
        if chatting.runtime.vectors.wanted:
            await chatting.runtime.vectors.fill(chatting.viewer)  # in the pause between two messages
        model.cache.now += turn.pause
        if number % TIMED == 0:
            measured.bundle_ms.append(await bundle_time(chatting, turn.words))
        model.script = list(turn.script)
        first = len(model.counted)
        said = await chatting.say(turn.words, _unseen)
        await chatting.shown(said.cards)
        measured.messages += 1 + bool(turn.script)
        measured.receipts += len(said.receipts)
        measured.cards += len(said.cards)
        measured.failed += said.failed or bool(model.script)
        if calls := model.counted[first:]:
            if measured.turns and (found := broken(measured.turns[-1][0], calls[0])):
                measured.breaks.append((number, found))
            measured.turns.append(calls)
            model.cache.now += A_ROUND * len(calls)
    return measured


async def _unseen(_: str) -> None:
    """Nobody reads along."""


async def bundle_time(chatting: Chat, words: str) -> float:
    """Milliseconds to build the bundle of a message, by itself."""
    runtime = chatting.runtime
    began = time.perf_counter()
    await build_bundle(
        runtime.memory,
        runtime.vectors,
        chatting.viewer,
        chatting.conversation_id,
        words,
        intent="chat",
        max_tokens=runtime.shape.max_tokens,
        now=datetime.now(UTC),
        shape=runtime.shape,
    )
    return (time.perf_counter() - began) * 1000


def summed_up(measured: Measured) -> list[Figure]:
    calls = measured.calls
    total, read = sum(call.total for call in calls), sum(call.read for call in calls)
    written, fresh = sum(call.written for call in calls), sum(call.fresh for call in calls)
    share, rate = read / total, len(measured.breaks) * MESSAGES_A_BREAK / measured.messages
    causes = Counter(found.cause for _, found in measured.breaks)
    firsts = [turn[0] for turn in measured.turns]
    with_cache = fresh + WRITE * written + READ * read
    spent = quantiles(measured.bundle_ms, n=20)
    tools = f"{len(calls) - len(firsts)} of them rounds of tools; {measured.messages} messages"
    wrote = f"{measured.receipts} receipts, {measured.cards} cards"
    return [
        Figure("calls of the model", len(calls), "", tools),
        Figure("changes of memory", measured.receipts, "", wrote + _failed(measured.failed)),
        Figure("share of input read from the cache", share, "", goal(share >= SHARE, f">= {SHARE:.2f}")),
        Figure("the same, first call of a turn", sum(f.read for f in firsts) / sum(f.total for f in firsts), ""),
        Figure("prefix breaks in 20 messages", rate, "", goal(rate <= 1, "<= 1")),
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
        Figure("one bundle with recall, p50", spent[9], "ms", "recall has all the time it wants here"),
        Figure("one bundle with recall, p95", spent[18], "ms"),
    ]


def until(call: Counted, place: str) -> int:
    """Tokens up to the end of the last block of a place."""
    return max((block.upto for block in call.blocks if block.place == place), default=0)


def recalled(call: Counted) -> int:
    """Tokens of the evidence, which is the last section of the tail."""
    _, _, evidence = call.blocks[-2].words.partition(SECTIONS[SectionName.RETRIEVED_EVIDENCE].heading)
    return tokens_of({"text": evidence}) if evidence else 0


def goal(met: bool, wanted: str) -> str:
    return f"goal {wanted}: {'met' if met else 'MISSED'}"


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
