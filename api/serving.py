"""Runs the daemon in the caller's event loop until it is cancelled."""

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
# Longer than proxies keep theirs open: a request sent on a connection that we are closing would get no response.
SECONDS_TO_KEEP = 75


class _StoppableServer(uvicorn.Server):
    """Leaves signal handling to the program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(runtime: Runtime, listening: socket.socket) -> None:
    """Serve until cancelled, then finish the requests in progress."""
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
    server = _StoppableServer(config)
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
    """Open the listening socket. Connections made before `serve` runs wait in its backlog."""
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
    except (OSError, UnicodeError) as error:  # UnicodeError: the host is not a valid name
        raise PortTaken("KEEPSAKE_PORT", f"{host}:{port}", error) from error
    return listening
