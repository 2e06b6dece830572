"""`keepsake doctor`: what is set, what is missing, what is in use, and what to do next, in plain words."""

import argparse
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from math import ceil
from statistics import median

import httpx

from bot.cli.daemon import why_not_listening
from bot.commands.web import app_address
from bot.formatting import columns, padded
from bot.language import spoken, texts
from memory import Progress
from memory.consolidation.statistics import EmbeddingProgress, Estimates, WorkState, deployment_state
from memory.errors import EmbedderAway, KeepsakeError
from memory.model.choice import VENDORS, vendor_from
from memory.retrieval.embedders.base import Embedder
from memory.retrieval.embedders.choice import Former, cannot_run_here, embedder_from, former_from, is_remote
from memory.retrieval.recall import EMBEDDING
from memory.settings import Settings
from memory.wiring import database_address, open_database, ready_database

SECONDS_TO_ANSWER = 3.0
QUESTION = "Who wanted to call the plumber about the boiler on {day}, and what did we say about the kitchen?"


@dataclass(slots=True)
class Findings:
    lines: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    fit: bool = True

    def add(self, what: str, how_it_is: str) -> None:
        name = texts.DOCTOR_NAMES.get(what, what)
        width = max(11, *map(columns, texts.DOCTOR_NAMES.values()))
        self.lines.append(f"{padded(name, width)} {how_it_is}")


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    findings = await examine(settings, progress, has_env_file=chosen.has_env_file)
    sys.stdout.write("\n".join(findings.lines) + "\n")
    return 0 if findings.fit else 1


async def examine(settings: Settings, progress: Progress, *, has_env_file: bool) -> Findings:
    found = Findings()
    embedder = embedder_from(settings)
    machine = {"version": version("keepsake"), "python": platform.python_version(), "system": platform.system()}
    found.add("keepsake", texts.DOCTOR_MACHINE.format(**machine))
    found.add("settings", texts.DOCTOR_ENV_FILE if has_env_file else texts.DOCTOR_NO_ENV_FILE)
    await _database(settings, embedder, progress, found)
    _brain(settings, found)
    await _embedder(settings, embedder, found)
    await _telegram(settings, found)
    await _daemon(settings, found)
    if found.fit:
        found.advice.append(texts.DOCTOR_READY)
    found.lines += ["", *(f"→ {line}" for line in found.advice)]
    return found


async def _database(settings: Settings, embedder: Embedder | None, progress: Progress, found: Findings) -> None:
    address = database_address(settings)
    if address is None:
        found.add("database", texts.DOCTOR_EMBEDDED.format(folder=settings.data_dir))
        if os.geteuid() == 0:
            found.add("", texts.DOCTOR_AS_ROOT)
    else:
        found.add("database", texts.DOCTOR_OWN_DATABASE.format(address=address))
        found.add("owner", texts.DOCTOR_OWNER_SET if settings.owner_url else texts.DOCTOR_OWNER_NOT_SET)
    if address is None and not (settings.data_dir / "postgres").exists():
        found.add("PostgreSQL", texts.DOCTOR_NOT_YET)
        return
    try:
        async with ready_database(settings, progress) as ready:
            fit = ready.fitness
            versions = {"postgresql": fit.postgresql, "pgvector": fit.pgvector, "revision": fit.revision}
            found.add("PostgreSQL", texts.DOCTOR_VERSIONS.format(**versions))
            found.add("role", texts.DOCTOR_ROLE.format(role=fit.role))
            async with open_database(ready.url) as database:
                state = await deployment_state(
                    database,
                    settings.tenant,
                    datetime.now(UTC),
                    token_margin=settings.token_margin,
                    embedder=embedder.model if embedder else None,
                )
            _tokens(state.estimates, found)
            _inbox(state.updates, state.unreadable, found)
            _work(state.work, found)
            if state.embedded is not None and state.embedded.embedded < state.embedded.chunks:
                await _vectors(settings, state.embedded, found)
    except KeepsakeError as trouble:
        found.fit = False
        found.add("PostgreSQL", texts.DOCTOR_NOT_USABLE)
        found.advice.append(spoken(trouble))


def _tokens(told: Estimates, found: Findings) -> None:
    """Whether the model ever counted more than was estimated: then a budget may have been overrun."""
    if told.below:
        found.add("tokens", texts.DOCTOR_TOO_FEW_TOKENS.format(below=told.below, calls=told.calls, most=told.most))
        found.advice.append(texts.DOCTOR_SET_MARGIN.format(margin=told.most + 0.05))
    elif told.calls:
        found.add("tokens", texts.DOCTOR_TOKENS.format(calls=told.calls))


def _inbox(updates: Mapping[str, tuple[int, datetime]], unreadable: int, found: Findings) -> None:
    """What waits to be answered, and what never could be."""
    before = len(found.lines)
    waiting = [updates[state] for state in ("waiting", "working") if state in updates]
    if waiting:
        oldest = min(since for _, since in waiting)
        found.add(
            "inbox", texts.DOCTOR_INBOX.format(count=sum(n for n, _ in waiting), since=f"{oldest:%Y-%m-%d %H:%M}")
        )
    for count, told in (
        (updates["parked"][0] - unreadable if "parked" in updates else 0, texts.DOCTOR_PARKED),
        (unreadable, texts.DOCTOR_UNREADABLE),
    ):
        if count:
            found.add("inbox" if len(found.lines) == before else "", told.format(count=count))


def _work(work: Sequence[WorkState], found: Findings) -> None:
    """What was given up in the background, and what somebody began and left."""
    for state in work:
        reasons = "; ".join(" ".join(reason.split()) for reason in state.reasons)
        if state.failed:
            found.add(state.work, texts.DOCTOR_GIVEN_UP.format(count=state.failed, reasons=reasons))
        if state.stuck:
            found.add("" if state.failed else state.work, texts.DOCTOR_STUCK.format(count=state.stuck))
    if any(state.failed or state.stuck for state in work):
        found.advice.append(texts.DOCTOR_REBUILD)


async def _vectors(settings: Settings, known: EmbeddingProgress, found: Findings) -> None:
    """How far a change of models is, and what serves until it is done."""
    meanwhile = texts.DOCTOR_BY_WORDS
    if known.others:
        model = known.others[0]
        if await _serves(former_from(settings, model)):
            meanwhile = texts.DOCTOR_BY_FORMER.format(model=model)
        else:
            found.advice.append(texts.DOCTOR_SET_BEFORE.format(model=model))
    told = texts.DOCTOR_VECTORS.format(embedded=known.embedded, chunks=known.chunks, meanwhile=meanwhile)
    found.add("vectors", told)


async def _serves(former: Former | None) -> bool:
    if former is None:
        return False
    try:
        await former.embedder.warm()
    except EmbedderAway:
        return False
    finally:
        await former.embedder.close()
    return True


async def _embedder(settings: Settings, embedder: Embedder | None, found: Findings) -> None:
    if embedder is None:
        found.add("embedder", texts.DOCTOR_NO_EMBEDDER)
    elif trouble := cannot_run_here(settings):
        found.add("embedder", texts.DOCTOR_NOT_HERE)
        found.advice.append(trouble)
    else:
        kind = texts.DOCTOR_REMOTE if is_remote(settings) else texts.DOCTOR_BUNDLED
        found.add("embedder", kind.format(model=embedder.model))
        await _speed(settings, embedder, found)


async def _speed(settings: Settings, embedder: Embedder, found: Findings) -> None:
    """A server that always takes longer than recall can wait would never serve, and nobody would know."""
    try:
        took = await _milliseconds(embedder)
    except EmbedderAway as trouble:
        found.add("", texts.DOCTOR_EMBEDDER_AWAY)
        found.advice.append(spoken(trouble))
        return
    finally:
        await embedder.close()
    left = EMBEDDING * settings.recall_ms
    if took <= left:
        found.add("", texts.DOCTOR_SPEED.format(took=took))
    else:
        found.add("", texts.DOCTOR_TOO_SLOW.format(took=took, recall=settings.recall_ms, left=left))
        found.advice.append(texts.DOCTOR_SET_RECALL.format(enough=50 * ceil(1.2 * took / EMBEDDING / 50)))


async def _milliseconds(embedder: Embedder) -> float:
    """The middle one of a few different questions, after one that opens the way."""
    await embedder.warm()
    spent = []
    for day in ("Monday", "Tuesday", "Wednesday"):
        began = time.perf_counter()
        await embedder.query(QUESTION.format(day=day))
        spent.append(1000 * (time.perf_counter() - began))
    return median(spent)


async def _telegram(settings: Settings, found: Findings) -> None:
    """Whether a bot can run with this token, and whether somebody fetches what people tell it."""
    if settings.telegram_bot_token is None:
        found.add("Telegram", texts.DOCTOR_NO_TOKEN)
        return
    from bot.telegram.client import connected

    try:
        async with connected(settings) as bot:
            found.add("Telegram", texts.DOCTOR_TOKEN.format(name=bot.username))
            if held := await bot.pending_updates():
                found.add("", texts.DOCTOR_TELEGRAM_HOLDS.format(count=held))
    except KeepsakeError as trouble:
        found.fit = False
        found.add("Telegram", texts.DOCTOR_TOKEN_FAILS)
        found.advice.append(spoken(trouble))


async def _daemon(settings: Settings, found: Findings) -> None:
    """Where it is or would be, and whether it is there."""
    where = f"{settings.host}:{settings.port}"
    found.add("daemon", texts.DOCTOR_DAEMON.format(where=where, url=settings.page_url))
    health = await _health(settings.home_url)
    if health is not None:
        found.add("", texts.DOCTOR_DAEMON_RUNS if health else texts.DOCTOR_DAEMON_SICK)
    elif trouble := why_not_listening(settings):
        found.add("", texts.DOCTOR_DAEMON_TAKEN)
        found.advice.append(trouble)
        found.fit = found.fit and settings.serve == "0"
    else:
        found.add("", texts.DOCTOR_DAEMON_FREE)
    if settings.telegram_bot_token and app_address(settings) is None:
        found.advice.append(texts.DOCTOR_SET_WEB_URL)


async def _health(url: str) -> bool | None:
    """Whether a daemon of ours is well; nothing, where none answers."""
    async with httpx.AsyncClient(timeout=SECONDS_TO_ANSWER, trust_env=False) as client:
        try:
            answer = await client.get(f"{url}/api/v1/healthz")
            told = answer.json()
        except (httpx.HTTPError, ValueError):
            return None
    if not isinstance(told, dict) or "status" not in told or not {"database", "detail"} & told.keys():
        return None
    return answer.is_success


def _brain(settings: Settings, found: Findings) -> None:
    if vendor := vendor_from(settings):
        address, model = vendor.address(settings), settings.model or vendor.model
        found.add("model", texts.DOCTOR_MODEL_AT.format(model=model, address=address) if address else model)
    else:
        found.add("model", texts.DOCTOR_NO_MODEL)
        usual = VENDORS[0]
        found.advice.append(texts.DOCTOR_SET_KEY.format(key=usual.key_variable, vendor=usual.name))
