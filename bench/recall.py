"""How much of the evidence recall finds: conversations written by the real write path, asked by the real recall path.

    python -m bench.recall --data FILE.jsonl [--embedder NAME] [--deadline-ms N]

Each conversation of the file is one person's history; each of its sessions one conversation of theirs. recall@k is the
share of a question's evidence turns among the first k turns that recall returns, averaged over the questions that have
evidence; `adversarial` ones are reported apart.
"""

import argparse
import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean, quantiles

from bench.conversations import Conversation, default_files, read
from bench.runtime import bench_memory
from bench.report import Figure, report
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.retrieval.embedders.choice import embedder_from
from memory.retrieval.recall import recall
from memory.retrieval.vectors import Vectors
from memory.settings.environment import load_settings
from memory.unit import Memory

TENANT = "bench"
DEPTHS = (5, 10, 20)
# A noisy machine must not turn a question of quality into one of speed; the figures tell how many kept the real one.
DEADLINE = 10_000.0
REAL_DEADLINE = 150
ADVERSARIAL = "adversarial"


@dataclass(frozen=True)
class RecallScore:
    category: str
    shares: dict[int, float]
    first: int | None
    complete: bool
    milliseconds: int


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.recall")
    parser.add_argument("--data", type=Path, action="append", help="in the format of bench/data/conversations.jsonl")
    parser.add_argument("--embedder", default="bundled", help="bundled, off, or voyage and openai with their settings")
    parser.add_argument("--deadline-ms", type=float, default=DEADLINE)
    chosen = parser.parse_args(arguments)
    for path in chosen.data or default_files():
        asyncio.run(measure(path, chosen.embedder, timedelta(milliseconds=chosen.deadline_ms)))


async def measure(path: Path, embedder: str, deadline: timedelta) -> None:
    settings = load_settings({**os.environ, "KEEPSAKE_EMBEDDER": embedder}, Path(os.devnull))
    async with bench_memory() as (memory, _):
        vectors = Vectors(memory, TENANT, embedder_from(settings), progress=lambda _: None)
        answers: list[RecallScore] = []
        chunks, spent = 0, 0.0
        for number, conversation in enumerate(read(path)):
            viewer = Viewer.in_private(TENANT, f"bench:{number}")
            turns, until = await write_down(memory, viewer, conversation)
            began = time.perf_counter()
            chunks += await vectors.fill(viewer) if vectors.wanted else 0
            spent += time.perf_counter() - began
            for question in conversation["questions"]:
                if question["evidence"]:
                    answers.append(await ask(memory, vectors, viewer, question, turns, until, deadline))
        await vectors.close()
    figures = summed_up(answers)
    if vectors.wanted:
        figures.append(Figure("embedding", chunks / spent, "/s", f"{chunks} chunks by {vectors.wanted.model}"))
    report(f"recall {path.stem} {embedder}", figures)
    asked = [answer.shares[10] for answer in answers if answer.category != ADVERSARIAL]
    print(f"recall@10 {mean(asked):.3f}")


async def write_down(memory: Memory, viewer: Viewer, conversation: Conversation) -> tuple[dict[str, str], datetime]:
    """Every turn as an event of its speaker. Gives which turn an event was, and when the last one was said."""
    turns, until = {}, datetime.min.replace(tzinfo=UTC)
    async with memory.unit(viewer) as unit:
        await welcome(unit.session, viewer, name=viewer.person, timezone="UTC", now=unit.now)
    for session in conversation["sessions"]:
        began = moment(session["ts"])
        conversation_id = timed_id("cnv", began)
        prepared = []
        for turn in session["turns"]:
            ts = moment(turn.get("ts") or session["ts"])
            content = {name: turn[name] for name in ("text", "caption") if turn.get(name)}
            content["by"] = turn["speaker"]  # an account's name says nothing
            event = prepare(EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, content), ts)
            prepared.append(event)
            turns[event.event.id] = turn["id"]
            until = max(until, ts)
        async with memory.unit(viewer) as unit:
            await start_conversation(unit.session, viewer, conversation_id=conversation_id, agent_id="bench", now=began)
            await record(unit, conversation_id, prepared)
    return turns, until


async def ask(
    memory: Memory,
    vectors: Vectors,
    viewer: Viewer,
    question: Conversation,
    turns: dict[str, str],
    now: datetime,
    deadline: timedelta,
) -> RecallScore:
    found = await recall(memory, vectors, viewer, question["text"], now=now, limit=2 * max(DEPTHS), deadline=deadline)
    places = list(dict.fromkeys(turns[hit.event_id] for hit in found.hits if hit.event_id))
    evidence = set(question["evidence"])
    ranks = [place for place, turn in enumerate(places, 1) if turn in evidence]
    return RecallScore(
        question["category"],
        {depth: len(evidence & set(places[:depth])) / len(evidence) for depth in DEPTHS},
        ranks[0] if ranks else None,
        evidence <= set(places[:10]),
        found.milliseconds,
    )


def summed_up(answers: Sequence[RecallScore]) -> list[Figure]:
    by_category: dict[str, list[RecallScore]] = defaultdict(list)
    for answer in answers:
        by_category[answer.category].append(answer)
        if answer.category != ADVERSARIAL:
            by_category["all but adversarial"].append(answer)
    figures = []
    for category in sorted(by_category, key=lambda name: (name != "all but adversarial", name == ADVERSARIAL, name)):
        group = by_category[category]
        note = f"{len(group)} questions"
        figures += [
            Figure(f"{category}: recall@{depth}", mean(answer.shares[depth] for answer in group), "", note)
            for depth in DEPTHS
        ]
        figures.append(Figure(f"{category}: all evidence@10", mean(answer.complete for answer in group), ""))
        found = mean(1 / answer.first if answer.first else 0.0 for answer in group)
        figures.append(Figure(f"{category}: MRR", found, ""))
    spent = sorted(answer.milliseconds for answer in answers)
    in_time = mean(each <= REAL_DEADLINE for each in spent)
    figures.append(Figure("one recall, p50", quantiles(spent, n=20)[9], "ms", "embedding the question included"))
    figures.append(Figure("one recall, p95", quantiles(spent, n=20)[18], "ms", f"{in_time:.0%} in {REAL_DEADLINE} ms"))
    return figures


def moment(written: str) -> datetime:
    read = datetime.fromisoformat(written)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


if __name__ == "__main__":
    main()
