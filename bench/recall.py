"""How much of the evidence recall finds, over conversations written and recalled by the real code.

    python -m bench.recall --data FILE.jsonl [--embedder NAME] [--deadline-ms N]

Each conversation in the file is one person's history, and each of its sessions a conversation of ours. recall@k is the
share of a question's evidence turns among the first k turns that recall returns, averaged over the questions that have
evidence. `adversarial` questions are reported separately.
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
from statistics import mean

from bench.conversations import FORMAT_HELP, Conversation, default_files, read
from bench.database import bench_memory
from bench.report import Figure, percentile, report
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.retrieval.embedders.factory import make_embedder
from memory.retrieval.recall import recall
from memory.retrieval.vector_index import VectorIndex
from memory.settings.environment import load_settings
from memory.unit import Memory

TENANT = "bench"
DEPTHS = (5, 10, 20)
# Long, so that a busy machine does not lower the quality; the figures say how many recalls met the real one.
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
    parser.add_argument("--data", type=Path, action="append", help=FORMAT_HELP)
    parser.add_argument("--embedder", default="bundled", help="bundled, off, or voyage and openai with their settings")
    parser.add_argument("--deadline-ms", type=float, default=DEADLINE)
    args = parser.parse_args(arguments)
    for path in args.data or default_files():
        asyncio.run(measure(path, args.embedder, timedelta(milliseconds=args.deadline_ms)))


async def measure(path: Path, embedder: str, deadline: timedelta) -> None:
    settings = load_settings({**os.environ, "KEEPSAKE_EMBEDDER": embedder}, Path(os.devnull))
    async with bench_memory() as (memory, _):
        vectors = VectorIndex(memory, TENANT, make_embedder(settings), progress=lambda _: None)
        answers: list[RecallScore] = []
        chunks, spent = 0, 0.0
        for number, conversation in enumerate(read(path)):
            viewer = Viewer.in_private(TENANT, f"bench:{number}")
            turns, until = await record_history(memory, viewer, conversation)
            started = time.perf_counter()
            chunks += await vectors.backfill(viewer) if vectors.current else 0
            spent += time.perf_counter() - started
            for question in conversation["questions"]:
                if question["evidence"]:
                    answers.append(await ask(memory, vectors, viewer, question, turns, until, deadline))
        await vectors.close()
    figures = figures_of(answers)
    if vectors.current:
        figures.append(Figure("embedding", chunks / spent, "/s", f"{chunks} chunks by {vectors.current.model}"))
    report(f"recall {path.stem} {embedder}", figures)
    shares = [answer.shares[10] for answer in answers if answer.category != ADVERSARIAL]
    print(f"recall@10 {mean(shares):.3f}")


async def record_history(memory: Memory, viewer: Viewer, conversation: Conversation) -> tuple[dict[str, str], datetime]:
    """Record every turn as an event. Return the turn ids by event id, and the time of the last turn."""
    turns, until = {}, datetime.min.replace(tzinfo=UTC)
    async with memory.unit(viewer) as unit:
        await welcome(unit.session, viewer, name=viewer.person, timezone="UTC", now=unit.now)
    for session in conversation["sessions"]:
        started = parse_moment(session["ts"])
        conversation_id = timed_id("cnv", started)
        prepared = []
        for turn in session["turns"]:
            ts = parse_moment(turn.get("ts") or session["ts"])
            content = {name: turn[name] for name in ("text", "caption") if turn.get(name)}
            content["by"] = turn["speaker"]  # the account name says nothing
            event = prepare(EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, content), ts)
            prepared.append(event)
            turns[event.event.id] = turn["id"]
            until = max(until, ts)
        async with memory.unit(viewer) as unit:
            await start_conversation(
                unit.session, viewer, conversation_id=conversation_id, agent_id="bench", now=started
            )
            await record(unit, conversation_id, prepared)
    return turns, until


async def ask(
    memory: Memory,
    vectors: VectorIndex,
    viewer: Viewer,
    question: Conversation,
    turns: dict[str, str],
    now: datetime,
    deadline: timedelta,
) -> RecallScore:
    found = await recall(memory, vectors, viewer, question["text"], now=now, limit=2 * max(DEPTHS), deadline=deadline)
    found_turns = list(dict.fromkeys(turns[hit.event_id] for hit in found.hits if hit.event_id))
    evidence = set(question["evidence"])
    ranks = [rank for rank, turn in enumerate(found_turns, 1) if turn in evidence]
    return RecallScore(
        question["category"],
        {depth: len(evidence & set(found_turns[:depth])) / len(evidence) for depth in DEPTHS},
        ranks[0] if ranks else None,
        evidence <= set(found_turns[:10]),
        found.milliseconds,
    )


def figures_of(answers: Sequence[RecallScore]) -> list[Figure]:
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
    figures.append(Figure("one recall, p50", percentile(spent, 50), "ms", "embedding the question included"))
    figures.append(Figure("one recall, p95", percentile(spent, 95), "ms", f"{in_time:.0%} in {REAL_DEADLINE} ms"))
    return figures


def parse_moment(iso: str) -> datetime:
    moment = datetime.fromisoformat(iso)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


if __name__ == "__main__":
    main()
