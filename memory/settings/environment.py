"""Reads the settings once, from the environment and `.env`. A wrong value stops the start with a plain message."""

import io
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from dotenv.parser import parse_stream
from pydantic import ValidationError

from memory.errors import SettingsError
from memory.refusals import Refusal
from memory.retrieval.embedders.registry import OFF, SERVERS, EmbedderSpec, join_with_or
from memory.settings import Settings, variables

PREFIX = "KEEPSAKE_"


def load_settings(environment: Mapping[str, str], env_file: Path | None) -> Settings:
    """The environment wins over `.env`; an empty value counts as not set."""
    values = _non_empty(read_env_file(env_file)) | _non_empty(environment)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise SettingsError("\n".join(_message(problem["loc"][0], values) for problem in error.errors())) from None
    if message := embedder_error(settings):
        raise SettingsError(message)
    return settings


def embedder_error(settings: Settings) -> str | None:
    """Refuse settings that the chosen embedder does not use: texts must go only where their owner expects them to."""
    if settings.embedder_before_key and not settings.embedder_before:
        return "KEEPSAKE_EMBEDDER_BEFORE: got nothing, wants the server that KEEPSAKE_EMBEDDER_BEFORE_KEY is for."
    if settings.embedder_before in SERVERS and not settings.embedder_before_key:
        return f"KEEPSAKE_EMBEDDER_BEFORE_KEY: got nothing, wants the API key for {settings.embedder_before}."
    if settings.embedder == OFF:
        return None
    if (server := SERVERS.get(settings.embedder)) is not None:
        return _server_error(settings, server)
    keys = [settings.embedder_key_of(known) for known in SERVERS.values()]
    if any(keys) or settings.embedder_model or settings.embedder_url:
        return f"KEEPSAKE_EMBEDDER: got settings of a server, wants {join_with_or(*SERVERS)} with them."
    return None


def _server_error(settings: Settings, server: EmbedderSpec) -> str | None:
    if settings.embedder_url and not server.takes_url:
        others = join_with_or(*(name for name, known in SERVERS.items() if known.takes_url))
        return f"KEEPSAKE_EMBEDDER_URL: goes with KEEPSAKE_EMBEDDER={others}, not with {server.name}."
    if settings.embedder_key_of(server) or settings.embedder_url:
        return None
    wants = f"{Settings.model_fields[server.key_setting].alias}: got nothing, wants the API key for {server.name}"
    return f"{wants}, or KEEPSAKE_EMBEDDER_URL a server." if server.takes_url else f"{wants}."


def _non_empty(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value.strip() for name, value in values.items() if value.strip()}


def unknown_variables(environment: Mapping[str, str], env_file: Path | None) -> list[str]:
    """A line for each unknown KEEPSAKE_ variable, with the most similar known one."""
    known = set(variables())
    unknown = sorted({n for n in {**read_env_file(env_file), **environment} if n.startswith(PREFIX)} - known)
    return [
        f"{name} is not a setting of Keepsake" + (f"; did you mean {near[0]}?" if near else ".")
        for name, near in ((name, get_close_matches(name, known, n=1)) for name in unknown)
    ]


def read_env_file(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(Refusal.ENV_FILE_UNREADABLE, path=path, why=error.__class__.__name__) from error
    values = {}
    for line in parse_stream(io.StringIO(text)):
        if line.error or (line.key and line.value is None):
            raise SettingsError(Refusal.ENV_FILE_LINE, path=path, line=line.original.line)
        if line.key and line.value is not None:
            values[line.key] = line.value
    return values


def _message(variable: int | str, values: Mapping[str, str]) -> str:
    field = variables()[str(variable)]
    is_secret = "SecretStr" in str(field.annotation)
    got = "a value that is not shown here" if is_secret else repr(values[str(variable)][:80])
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    return f"{variable}: got {got}, wants {extra['wants']}."
