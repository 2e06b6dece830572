"""Several bots on one database behind one webhook, each with a name for its leases and a point to die at."""

import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.inbox import InboxRows
from tests.e2e.points import Arming
from tests.e2e.program import Program, programs
from tests.e2e.talking import answered
from tests.ports import free_port
from tests.telegram import Person
from tests.waiting import STUCK

PATH = "/hook"


@contextmanager
def round_robin(ports: list[int]) -> Iterator[str]:
    """What stands before several processes: each update goes to the next one that takes it."""
    turn = itertools.cycle(ports)
    client = httpx.Client(timeout=STUCK, trust_env=False, verify=False)

    class Forwarder(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
            status = 502
            for _ in ports:
                address = f"http://127.0.0.1:{next(turn)}{PATH}"
                try:
                    given = client.post(address, content=body, headers=headers)
                except httpx.HTTPError:
                    continue
                status = given.status_code
                break
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Forwarder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PATH}"
    finally:
        server.shutdown()
        server.server_close()
        client.close()


@contextmanager
def several(environments: Sequence[dict[str, str]], folder: Path) -> Iterator[list[Program]]:
    """Not started yet."""
    ports = [free_port() for _ in environments]
    with round_robin(ports) as hook:
        made = []
        for number, (port, environment) in enumerate(zip(ports, environments, strict=True)):
            own = {"TELEGRAM_WEBHOOK_URL": hook, "KEEPSAKE_WEBHOOK_LISTEN": f"127.0.0.1:{port}"}
            name = f"process {number}"
            made.append(Program({**environment, **own}, folder, armed=Arming(folder / f"armed-{number}"), holder=name))
        with programs(made):
            yield made


def ensure_answered(people: Sequence[Person], messages: int, held: Sequence[tuple[int, str]]) -> int:
    """Everybody everything, in order; and nothing twice but what a process that was killed held just then, once in a
    chat. Gives how often that was."""
    chats = {chat for _, chat in held}
    doubled = 0
    for person in people:
        numbers = answered(person)
        more = len(numbers) - messages
        assert sorted(set(numbers)) == list(range(messages)), person.id
        assert numbers == sorted(numbers), person.id
        assert more <= (f"telegram:{person.id}" in chats), (person.id, held, numbers)
        doubled += more
    return doubled


def dead(program: Program, inbox: InboxRows) -> list[tuple[int, str]]:
    """It died at its point, and its leases have run out. What it held."""
    program.wait_until_dead()
    return inbox.let_leases_run_out(program.holder)
