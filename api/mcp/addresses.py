"""Who may send requests here through a browser: pages of our own addresses.

Any other page could reach a daemon that listens on somebody's machine under a name of its own (DNS rebinding).
"""

from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from api.problems import Problem
from memory.wiring import Runtime

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104


def ensure_own_address(runtime: Runtime, headers: Headers) -> None:
    """Programs send no `Origin`. Whoever listens everywhere is called by names that nobody here knows, and only the
    origin is looked at then; a browser always tells it with what it posts."""
    own = LOOPBACK | {runtime.settings.host.lower(), _name(runtime.web_url)}
    origin = headers.get("origin")
    if origin is not None and not _is_one_of(own, origin):
        raise Problem(HTTPStatus.FORBIDDEN, "Origin: pages of other addresses may not call here.")
    if runtime.settings.host not in EVERYWHERE and not _is_one_of(own, f"//{headers.get('host', '')}"):
        problem = "Host: we do not go by this name. KEEPSAKE_WEB_URL tells by which one we do."
        raise Problem(HTTPStatus.MISDIRECTED_REQUEST, problem)


def _is_one_of(names: Collection[str], address: str) -> bool:
    name = _name(address)
    return name != "" and name in names


def _name(address: str) -> str:
    """The host in it, in small letters; nothing where there is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
