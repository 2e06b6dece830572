"""`keepsake doctor`: reports the settings, the state of the deployment, and what to do next."""

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
from bot.language import texts, translate_error
from memory import Progress
from memory.consolidation.statistics import EmbeddingProgress, Estimates, WorkState, deployment_state
from memory.errors import EmbedderAway, KeepsakeError
from memory.model.vendors import VENDORS, vendor_from
from memory.retrieval.embedders.base import Embedder
from memory.retrieval.embedders.factory import (
    PreviousEmbedder,
    is_remote,
    make_embedder,
    make_previous_embedder,
    why_embedder_unsupported,
)
from memory.retrieval.recall import EMBEDDING_SHARE
from memory.settings import Settings
from memory.wiring import database_address, open_database, ready_database

SECONDS_TO_ANSWER = 3.0
SAMPLE_QUERY = "Who wanted to call the plumber about the boiler on {day}, and what did we say about the kitchen?"


@dataclass(slots=True)
class Findings:
    lines: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    fit: bool = True

    def add(self, topic: str, status: str) -> None:
        name = texts.DOCTOR_NAMES.get(topic, topic)
        width = max(11, *map(columns, texts.DOCTOR_NAMES.values()))
        self.lines.append(f"{padded(name, width)} {status}")


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    findings = await examine(settings, progress, has_env_file=args.has_env_file)
    sys.stdout.write("\n".join(findings.lines) + "\n")
    return 0 if findings.fit else 1


async def examine(settings: Settings, progress: Progress, *, has_env_file: bool) -> Findings:
    findings = Findings()
    embedder = make_embedder(settings)
    machine = {"version": version("keepsake"), "python": platform.python_version(), "system": platform.system()}
    findings.add("keepsake", texts.DOCTOR_MACHINE.format(**machine))
    findings.add("settings", texts.DOCTOR_ENV_FILE if has_env_file else texts.DOCTOR_NO_ENV_FILE)
    await _database(settings, embedder, progress, findings)
    _brain(settings, findings)
    await _embedder(settings, embedder, findings)
    await _telegram(settings, findings)
    await _daemon(settings, findings)
    if findings.fit:
        findings.advice.append(texts.DOCTOR_READY)
    findings.lines += ["", *(f"→ {line}" for line in findings.advice)]
    return findings


async def _database(settings: Settings, embedder: Embedder | None, progress: Progress, findings: Findings) -> None:
    address = database_address(settings)
    if address is None:
        findings.add("database", texts.DOCTOR_EMBEDDED.format(folder=settings.data_dir))
        if os.geteuid() == 0:
            findings.add("", texts.DOCTOR_AS_ROOT)
    else:
        findings.add("database", texts.DOCTOR_OWN_DATABASE.format(address=address))
        findings.add("owner", texts.DOCTOR_OWNER_SET if settings.owner_url else texts.DOCTOR_OWNER_NOT_SET)
    if address is None and not (settings.data_dir / "postgres").exists():
        findings.add("PostgreSQL", texts.DOCTOR_NOT_YET)
        return
    try:
        async with ready_database(settings, progress) as ready:
            fit = ready.fitness
            versions = {"postgresql": fit.postgresql, "pgvector": fit.pgvector, "revision": fit.revision}
            findings.add("PostgreSQL", texts.DOCTOR_VERSIONS.format(**versions))
            findings.add("role", texts.DOCTOR_ROLE.format(role=fit.role))
            async with open_database(ready.url) as database:
                state = await deployment_state(
                    database,
                    settings.tenant,
                    datetime.now(UTC),
                    token_margin=settings.token_margin,
                    embedder=embedder.model if embedder else None,
                )
            _tokens(state.estimates, findings)
            _inbox(state.updates, state.unreadable, findings)
            _work(state.work, findings)
            if state.embedded is not None and state.embedded.embedded < state.embedded.chunks:
                await _vectors(settings, state.embedded, findings)
    except KeepsakeError as trouble:
        findings.fit = False
        findings.add("PostgreSQL", texts.DOCTOR_NOT_USABLE)
        findings.advice.append(translate_error(trouble))


def _tokens(estimates: Estimates, findings: Findings) -> None:
    """Report calls with more tokens than estimated. They may have exceeded a budget."""
    if estimates.below:
        findings.add(
            "tokens",
            texts.DOCTOR_TOO_FEW_TOKENS.format(below=estimates.below, calls=estimates.calls, most=estimates.most),
        )
        findings.advice.append(texts.DOCTOR_SET_MARGIN.format(margin=estimates.most + 0.05))
    elif estimates.calls:
        findings.add("tokens", texts.DOCTOR_TOKENS.format(calls=estimates.calls))


def _inbox(updates: Mapping[str, tuple[int, datetime]], unreadable: int, findings: Findings) -> None:
    """Report updates that wait for an answer, and those that could not be answered."""
    before = len(findings.lines)
    waiting = [updates[state] for state in ("waiting", "working") if state in updates]
    if waiting:
        oldest = min(since for _, since in waiting)
        findings.add(
            "inbox", texts.DOCTOR_INBOX.format(count=sum(n for n, _ in waiting), since=f"{oldest:%Y-%m-%d %H:%M}")
        )
    for count, text in (
        (updates["parked"][0] - unreadable if "parked" in updates else 0, texts.DOCTOR_PARKED),
        (unreadable, texts.DOCTOR_UNREADABLE),
    ):
        if count:
            findings.add("inbox" if len(findings.lines) == before else "", text.format(count=count))


def _work(work: Sequence[WorkState], findings: Findings) -> None:
    """Report background jobs that failed, and those whose worker disappeared."""
    for state in work:
        reasons = "; ".join(" ".join(reason.split()) for reason in state.reasons)
        if state.failed:
            findings.add(state.work, texts.DOCTOR_GIVEN_UP.format(count=state.failed, reasons=reasons))
        if state.stuck:
            findings.add("" if state.failed else state.work, texts.DOCTOR_STUCK.format(count=state.stuck))
    if any(state.failed or state.stuck for state in work):
        findings.advice.append(texts.DOCTOR_REBUILD)


async def _vectors(settings: Settings, known: EmbeddingProgress, findings: Findings) -> None:
    """Report the progress of a change of embedding models, and what search uses until then."""
    meanwhile = texts.DOCTOR_BY_WORDS
    if known.others:
        model = known.others[0]
        if await _responds(make_previous_embedder(settings, model)):
            meanwhile = texts.DOCTOR_BY_FORMER.format(model=model)
        else:
            findings.advice.append(texts.DOCTOR_SET_BEFORE.format(model=model))
    status = texts.DOCTOR_VECTORS.format(embedded=known.embedded, chunks=known.chunks, meanwhile=meanwhile)
    findings.add("vectors", status)


async def _responds(former: PreviousEmbedder | None) -> bool:
    if former is None:
        return False
    try:
        await former.embedder.warm()
    except EmbedderAway:
        return False
    finally:
        await former.embedder.close()
    return True


async def _embedder(settings: Settings, embedder: Embedder | None, findings: Findings) -> None:
    if embedder is None:
        findings.add("embedder", texts.DOCTOR_NO_EMBEDDER)
    elif trouble := why_embedder_unsupported(settings):
        findings.add("embedder", texts.DOCTOR_NOT_HERE)
        findings.advice.append(translate_error(trouble))
    else:
        kind = texts.DOCTOR_REMOTE if is_remote(settings) else texts.DOCTOR_BUNDLED
        findings.add("embedder", kind.format(model=embedder.model))
        await _speed(settings, embedder, findings)


async def _speed(settings: Settings, embedder: Embedder, findings: Findings) -> None:
    """Measure the embedder. One slower than the recall deadline would never be used, without any error."""
    try:
        took = await _milliseconds(embedder)
    except EmbedderAway as trouble:
        findings.add("", texts.DOCTOR_EMBEDDER_AWAY)
        findings.advice.append(translate_error(trouble))
        return
    finally:
        await embedder.close()
    budget = EMBEDDING_SHARE * settings.recall_ms
    if took <= budget:
        findings.add("", texts.DOCTOR_SPEED.format(took=took))
    else:
        findings.add("", texts.DOCTOR_TOO_SLOW.format(took=took, recall=settings.recall_ms, left=budget))
        findings.advice.append(texts.DOCTOR_SET_RECALL.format(enough=50 * ceil(1.2 * took / EMBEDDING_SHARE / 50)))


async def _milliseconds(embedder: Embedder) -> float:
    """Return the median time of a few queries, after a warm-up."""
    await embedder.warm()
    spent = []
    for day in ("Monday", "Tuesday", "Wednesday"):
        started = time.perf_counter()
        await embedder.query(SAMPLE_QUERY.format(day=day))
        spent.append(1000 * (time.perf_counter() - started))
    return median(spent)


async def _telegram(settings: Settings, findings: Findings) -> None:
    """Check the bot token, and report updates that nobody fetches from Telegram."""
    if settings.telegram_bot_token is None:
        findings.add("Telegram", texts.DOCTOR_NO_TOKEN)
        return
    from bot.telegram.client import connect_bot

    try:
        async with connect_bot(settings) as bot:
            findings.add("Telegram", texts.DOCTOR_TOKEN.format(name=bot.username))
            if waiting := await bot.pending_updates():
                findings.add("", texts.DOCTOR_TELEGRAM_HOLDS.format(count=waiting))
    except KeepsakeError as trouble:
        findings.fit = False
        findings.add("Telegram", texts.DOCTOR_TOKEN_FAILS)
        findings.advice.append(translate_error(trouble))


async def _daemon(settings: Settings, findings: Findings) -> None:
    """Report the daemon's address, and whether it is running."""
    where = f"{settings.host}:{settings.port}"
    findings.add("daemon", texts.DOCTOR_DAEMON.format(where=where, url=settings.page_url))
    health = await _health(settings.home_url)
    if health is not None:
        findings.add("", texts.DOCTOR_DAEMON_RUNS if health else texts.DOCTOR_DAEMON_SICK)
    elif trouble := why_not_listening(settings):
        findings.add("", texts.DOCTOR_DAEMON_TAKEN)
        findings.advice.append(trouble)
        findings.fit = findings.fit and settings.serve == "0"
    else:
        findings.add("", texts.DOCTOR_DAEMON_FREE)
    if settings.telegram_bot_token and app_address(settings) is None:
        findings.advice.append(texts.DOCTOR_SET_WEB_URL)


async def _health(url: str) -> bool | None:
    """Return whether our daemon is healthy, or None if none answers."""
    async with httpx.AsyncClient(timeout=SECONDS_TO_ANSWER, trust_env=False) as client:
        try:
            answer = await client.get(f"{url}/api/v1/healthz")
            health = answer.json()
        except (httpx.HTTPError, ValueError):
            return None
    if not isinstance(health, dict) or "status" not in health or not {"database", "detail"} & health.keys():
        return None
    return answer.is_success


def _brain(settings: Settings, findings: Findings) -> None:
    if vendor := vendor_from(settings):
        address, model = vendor.address(settings), settings.model or vendor.model
        findings.add("model", texts.DOCTOR_MODEL_AT.format(model=model, address=address) if address else model)
    else:
        findings.add("model", texts.DOCTOR_NO_MODEL)
        usual = VENDORS[0]
        findings.advice.append(texts.DOCTOR_SET_KEY.format(key=usual.key_variable, vendor=usual.name))
