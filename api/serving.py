"""Runs the daemon inside a loop that somebody else owns, until it is cancelled."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from api.app import make_app
from api.middleware.header_timeout import HeaderTimeout
from api.middleware.shutdown import ShutdownNotice
from memory.errors import PortTaken
from memory.settings import Settings
from memory.wiring import Runtime

SECONDS_TO_STOP = 4
# Longer than proxies keep theirs open: whoever sends on a line that we are closing hears nothing.
SECONDS_TO_KEEP = 75


class _SilentServer(uvicorn.Server):
    """Signals are the program's own to hear."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(runtime: Runtime, listening: socket.socket) -> None:
    """Until it is cancelled; what is being answered then comes to its end first."""
    config = uvicorn.Config(
        ShutdownNotice(make_app(runtime)),
        http=HeaderTimeout,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
        timeout_keep_alive=SECONDS_TO_KEEP,
        proxy_headers=False,
        ws="none",
    )
    server = _SilentServer(config)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        server.should_exit = True
        await running
        raise
    finally:
        listening.close()


def listen(settings: Settings) -> socket.socket:
    """On the host and port of the settings. Whoever comes before somebody serves is kept waiting, not turned away."""
    host, port = settings.host, settings.port
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(where)
            listening.listen()
            listening.setblocking(False)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as trouble:  # the latter for a host that is no name at all
        raise PortTaken("KEEPSAKE_PORT", f"{host}:{port}", trouble) from trouble
    return listening
