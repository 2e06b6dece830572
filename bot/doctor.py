"""`keepsake doctor`: what is set, what is missing, what is in use, and what to do next, in plain words."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version

from bot import texts
from db.engine import Database, shown
from db.queries.bundles import estimates
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.embedders.choice import embedder_from
from memory.embedders.engine import INSTEAD, why_not_here
from memory.errors import KeepsakeError
from memory.settings import Settings
from memory.wiring import ready_database


@dataclass(slots=True)
class Findings:
    lines: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    fit: bool = True

    def add(self, what: str, how_it_is: str) -> None:
        self.lines.append(f"{what:<12}{how_it_is}")


async def examine(settings: Settings, progress: Callable[[str], None], *, has_env_file: bool) -> Findings:
    found = Findings()
    found.add("keepsake", f"{version('keepsake')}, Python {platform.python_version()} on {platform.system()}")
    found.add("settings", texts.DOCTOR_ENV_FILE if has_env_file else texts.DOCTOR_NO_ENV_FILE)
    await _database(settings, progress, found)
    _brain(settings, found)
    _embedder(settings, found)
    found.add("Telegram", texts.DOCTOR_TOKEN if settings.telegram_bot_token else texts.DOCTOR_NO_TOKEN)
    if found.fit:
        found.advice.append(texts.DOCTOR_READY)
    found.lines += ["", *(f"→ {line}" for line in found.advice)]
    return found


async def _database(settings: Settings, progress: Callable[[str], None], found: Findings) -> None:
    if settings.database_url is None:
        found.add("database", texts.DOCTOR_EMBEDDED.format(folder=settings.data_dir))
        if os.geteuid() == 0:
            found.add("", texts.DOCTOR_AS_ROOT)
    else:
        address = shown(settings.database_url.get_secret_value())
        found.add("database", texts.DOCTOR_OWN_DATABASE.format(address=address))
        found.add("owner", texts.DOCTOR_OWNER_SET if settings.owner_url else texts.DOCTOR_OWNER_NOT_SET)
    if settings.database_url is None and not (settings.data_dir / "postgres").exists():
        found.add("PostgreSQL", texts.DOCTOR_NOT_YET)
        return
    try:
        async with ready_database(settings, progress) as ready:
            fit = ready.fitness
            versions = {"postgresql": fit.postgresql, "pgvector": fit.pgvector, "revision": fit.revision}
            found.add("PostgreSQL", texts.DOCTOR_VERSIONS.format(**versions))
            found.add("role", texts.DOCTOR_ROLE.format(role=fit.role))
            await _tokens(settings, ready.url, found)
    except KeepsakeError as trouble:
        found.fit = False
        found.add("PostgreSQL", texts.DOCTOR_NOT_USABLE)
        found.advice.append(str(trouble))


async def _tokens(settings: Settings, url: str, found: Findings) -> None:
    """Whether the model ever counted more than was estimated: then a budget may have been overrun."""
    database = Database(url, pool_size=1)
    nobody = Viewer(settings.tenant, None, None, Channel.PRIVATE)
    async with database.transaction(nobody, read_only=True) as session:
        told = await estimates(session, settings.token_margin)
    await database.close()
    if told.below:
        found.add("tokens", texts.DOCTOR_TOO_FEW_TOKENS.format(below=told.below, calls=told.calls, most=told.most))
        found.advice.append(texts.DOCTOR_SET_MARGIN.format(margin=told.most + 0.05))
    elif told.calls:
        found.add("tokens", texts.DOCTOR_TOKENS.format(calls=told.calls))


def _embedder(settings: Settings, found: Findings) -> None:
    embedder = embedder_from(settings)
    if embedder is None:
        found.add("embedder", texts.DOCTOR_NO_EMBEDDER)
    elif settings.embedder != "bundled":
        found.add("embedder", texts.DOCTOR_REMOTE.format(model=embedder.model))
    elif trouble := why_not_here():
        found.add("embedder", texts.DOCTOR_NOT_HERE)
        found.advice.append(f"{trouble} {INSTEAD}")
    else:
        found.add("embedder", texts.DOCTOR_BUNDLED.format(model=embedder.model))


def _brain(settings: Settings, found: Findings) -> None:
    if settings.anthropic_api_key:
        server = f" at {settings.anthropic_base_url}" if settings.anthropic_base_url else ""
        found.add("model", f"{settings.model}{server}")
    else:
        found.add("model", texts.DOCTOR_NO_MODEL)
        found.advice.append(texts.DOCTOR_SET_KEY)
