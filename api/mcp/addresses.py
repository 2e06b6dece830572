"""Checks Origin and Host, so that browsers can call the MCP endpoint only from our own pages.

Otherwise any web page could reach a daemon on the visitor's machine through a host name of its own (DNS rebinding).
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
    """Reject a foreign Origin or Host. Programs send no Origin; browsers always send it with a POST.

    A daemon that listens on all interfaces cannot know its own host names, so only the Origin is checked there.
    """
    own = LOOPBACK | {runtime.settings.host.lower(), _name(runtime.web_url)}
    origin = headers.get("origin")
    if origin is not None and not _is_one_of(own, origin):
        raise Problem(HTTPStatus.FORBIDDEN, "Origin: requests from other sites are not allowed.")
    if runtime.settings.host not in EVERYWHERE and not _is_one_of(own, f"//{headers.get('host', '')}"):
        problem = "Host: unknown host name. Set KEEPSAKE_WEB_URL to the address of this daemon."
        raise Problem(HTTPStatus.MISDIRECTED_REQUEST, problem)


def _is_one_of(names: Collection[str], address: str) -> bool:
    name = _name(address)
    return name != "" and name in names


def _name(address: str) -> str:
    """Return the lower-case host name, or "" if there is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
