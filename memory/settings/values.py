"""What values of settings look like: addresses, keys, weights, people, and what to say when one is wrong."""

import os
import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from memory.model.prices import read_prices
from memory.privacy.encryption import read_keys
from memory.retrieval.embedders.registry import EMBEDDERS, OFF, SERVERS


def default_data_dir() -> Path:
    """Root's home is closed to the user who runs the server, so root keeps its data where services do."""
    return Path("/var/lib/keepsake") if os.geteuid() == 0 else Path.home() / ".keepsake"


def postgresql_address(value: SecretStr) -> SecretStr:
    try:
        url = make_url(value.get_secret_value())
    except ArgumentError as error:
        raise ValueError("not an address") from error
    if url.get_backend_name() not in {"postgresql", "postgres"} or not url.username:
        raise ValueError("not a PostgreSQL address with a role")
    return value


def encryption_keys(value: SecretStr) -> SecretStr:
    read_keys(value.get_secret_value())
    return value


def web_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError("not a web address")
    return value.rstrip("/")


def header_value(value: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]+", value.get_secret_value()):
        raise ValueError("not a key")
    return value


def embedder_or_off(value: str) -> str:
    if value != OFF and value not in EMBEDDERS:
        raise ValueError("not an embedder")
    return value


def embeddings_server(value: str) -> str:
    return value if value in SERVERS else web_address(value)


def three_weights(value: str) -> str:
    weights = [float(weight) for weight in value.split(",")]
    if len(weights) != 3 or not all(0 <= weight <= 1 for weight in weights) or sum(weights) == 0:
        raise ValueError("not three weights")
    return value


def price_list(value: str) -> str:
    read_prices(value)
    return value


def absolute(value: Path) -> Path:
    """`~` in a .env file is nobody's but ours to resolve."""
    try:
        return value.expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("nobody's home") from error


def setting(variable: str, meaning: str, *, wants: str, default: Any = None, **limits: Any) -> Any:
    """A field that knows its variable, what it is for, and what to say when it is wrong."""
    if callable(default):
        limits["default_factory"] = default
    else:
        limits["default"] = default
    return Field(alias=variable, description=meaning, json_schema_extra={"wants": wants}, **limits)


def people(value: str) -> str:
    """Numbers of Telegram users, or names with an @."""
    listed = [each.strip() for each in value.split(",") if each.strip()]
    if not all(re.fullmatch(r"\d{1,15}|@\w{4,32}", each) for each in listed):
        raise ValueError("not users")
    return ",".join(listed)


def address_to_listen_on(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError("not an address")
    return value


def host_to_listen_on(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9.:_-]{1,253}", value):
        raise ValueError("not a host")
    return value


PostgresAddress = Annotated[SecretStr, AfterValidator(postgresql_address)]
WebAddress = Annotated[str, AfterValidator(web_address)]
POSTGRES_WANTS = "an address such as postgresql://role:password@host:5432/database"
