"""`keepsake doctor`: what is set, what is missing, what is in use, and what to do next, in plain words."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version

from db.engine import shown
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
    found.add("settings", "the environment and .env" if has_env_file else "the environment (there is no .env)")
    await _database(settings, progress, found)
    _brain(settings, found)
    found.add("embedder", "none in this version: facts are found by their words")
    _telegram(settings, found)
    found.lines += ["", *(f"→ {line}" for line in found.advice)]
    return found


async def _database(settings: Settings, progress: Callable[[str], None], found: Findings) -> None:
    if settings.database_url is None:
        where = f"embedded, in {settings.data_dir}"
    else:
        where = f"DATABASE_URL, {shown(settings.database_url.get_secret_value())}"
    found.add("database", where)
    try:
        async with ready_database(settings, progress) as (_, fitness):
            found.add("PostgreSQL", f"{fitness.postgresql}, pgvector {fitness.pgvector}, schema {fitness.revision}")
            found.add("role", f"{fitness.role}, which cannot see around the wall between people")
    except KeepsakeError as trouble:
        found.fit = False
        found.add("PostgreSQL", "✗ not usable")
        found.advice.append(str(trouble))
    if settings.database_url is None and os.geteuid() == 0:
        found.add("", "started by root, so the server runs as an unprivileged user")
    owner = (
        "set (only `keepsake migrate` uses it)" if settings.owner_url else "not set (only `keepsake migrate` needs it)"
    )
    if settings.database_url is not None:
        found.add("owner", f"KEEPSAKE_OWNER_URL is {owner}")


def _brain(settings: Settings, found: Findings) -> None:
    if settings.anthropic_api_key:
        server = f" at {settings.anthropic_base_url}" if settings.anthropic_base_url else ""
        found.add("model", f"{settings.model}{server}")
    else:
        found.add("model", "none: the offline brain answers, from memory and by rules")
        found.advice.append("Set ANTHROPIC_API_KEY and Claude will answer.")


def _telegram(settings: Settings, found: Findings) -> None:
    if settings.telegram_bot_token:
        found.add("Telegram", "TELEGRAM_BOT_TOKEN is set; this version talks in the terminal only")
    else:
        found.add("Telegram", "TELEGRAM_BOT_TOKEN is not set; you chat in the terminal")
    if found.fit:
        found.advice.append("Ready: `make run` opens the chat.")
