"""Renders docs/settings.md and .env.example: every setting with its variable, default and meaning."""

from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from memory.settings import Settings

PAGE = """\
# Settings

Every setting is optional. Keepsake reads them once, at the start, from the environment and from `.env` in the folder
where it starts; the environment wins. Copy [.env.example](../.env.example) to begin. A wrong value stops the start
with one line that names the variable and says what it accepts; a misspelt name is pointed out. `keepsake doctor`
shows what is set and what is missing.

`make docs` generates this page from the code.
"""
EXAMPLE = (
    "# Copy this file to .env and fill in what you need. Everything is optional; the environment wins over this file.\n"
)
TITLES = {
    "TelegramSettings": "Telegram",
    "ServingSettings": "API and review page",
    "ModelSettings": "Models and costs",
    "EmbedderSettings": "Embedders",
    "StorageSettings": "Storage and retention",
    "ContextSettings": "Prompt and recall",
    "LearningSettings": "Summaries, extraction and reminders",
    "ObservabilitySettings": "Logs and metrics",
}
HEADER = "| variable | default | meaning | accepts |\n|---|---|---|---|\n"


def page() -> str:
    parts = [PAGE]
    for title, fields in _groups():
        parts.append(f"\n## {title}\n\n{HEADER}")
        parts += (f"| `{f.alias}` | {_code(_default(f))} | {f.description} | {_accepts(f)} |\n" for f in fields)
    return "".join(parts)


def example_file() -> str:
    parts = [EXAMPLE]
    for title, fields in _groups():
        parts.append(f"\n# --- {title} ---\n")
        parts += (f"\n# {f.description}\n#{f.alias}={_default(f)}\n" for f in fields)
    return "".join(parts)


def _groups() -> Iterator[tuple[str, list[FieldInfo]]]:
    for group in Settings.__bases__:
        if issubclass(group, BaseModel):
            yield TITLES[group.__name__], list(group.model_fields.values())


def _default(field: FieldInfo) -> str:
    """The default value; empty where there is none or it depends on the machine."""
    return str(field.default) if isinstance(field.default, str | int | float) else ""


def _accepts(field: FieldInfo) -> str:
    assert isinstance(field.json_schema_extra, dict)
    return str(field.json_schema_extra["wants"])


def _code(value: str) -> str:
    return f"`{value}`" if value else ""
