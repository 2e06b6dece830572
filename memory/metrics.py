"""What this process counts and times, for Prometheus: numbers and names of the program, nobody's words or ids."""

import asyncio
import logging
import re
import socket
import threading
import time
from collections import Counter as Sums
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from memory.context.calls import Call
from memory.errors import PortTaken
from memory.model.loop import LoopResult
from memory.model.usage import REPLY, Spending

NOT_ASKED = "not asked"
ANSWERED = "answered"
ENDINGS = {"refusal": "refused", "max_tokens": "cut_off", "rounds": "too_many_steps", "broken off": "broken_off"}
RECALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.5, 10.0)
PASS_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 30.0, 60.0, 300.0, 900.0)

log = logging.getLogger(__name__)


class Metrics:
    """One registry of its own. Whoever measures is given it; what a label says goes through `word`."""

    def __init__(self) -> None:
        self.registry = here = CollectorRegistry()
        self._turns = Counter(
            "keepsake_turns", "Messages, by how the answer to them ended.", ["outcome"], registry=here
        )
        self._recall = Histogram(
            "keepsake_recall_seconds", "How long recall took.", ["how"], buckets=RECALL_SECONDS, registry=here
        )
        self._tokens = Counter("keepsake_tokens", "Tokens of model calls.", ["purpose", "kind"], registry=here)
        self._cache_share = Gauge(
            "keepsake_cache_share", "Share of the tokens to the model that it had cached.", ["purpose"], registry=here
        )
        self._passes = Counter("keepsake_passes", "Passes of the work beside.", ["name", "outcome"], registry=here)
        self._pass_seconds = Histogram(
            "keepsake_pass_seconds", "How long a pass took.", ["name"], buckets=PASS_SECONDS, registry=here
        )
        self._failures = Counter("keepsake_failures", "What went wrong.", ["what"], registry=here)
        self._requests = Counter(
            "keepsake_requests",
            "Requests to the daemon, by operation and status.",
            ["operation", "status"],
            registry=here,
        )
        self._request_seconds = Histogram(
            "keepsake_request_seconds", "How long a request took.", ["operation"], buckets=RECALL_SECONDS, registry=here
        )
        self._stuck = Gauge("keepsake_stuck_rows", "Rows in work whose lease ran out.", ["table"], registry=here)
        self._waiting = Gauge("keepsake_inbox_waiting", "Updates from Telegram that wait.", registry=here)
        self._waiting.set(float("nan"))  # nobody has looked yet, which is not the same as none
        self._heard = Gauge(
            "keepsake_telegram_heard_timestamp_seconds", "When Telegram last answered or called us.", registry=here
        )
        self._heard.set(float("nan"))
        self._taken: dict[str, Sums[str]] = {}

    @contextmanager
    def turn(self, call: Call, result: LoopResult) -> Iterator[None]:
        """Around the talk with the model: how it ended, what it recalled for it, and what it took."""
        ended = ""
        try:
            yield
        except BaseException as trouble:
            ended = kind(trouble)
            raise
        finally:
            self._turns.labels(word(ended or ENDINGS.get(result.ended, ANSWERED))).inc()
            self.recalled(call.bundle.provenance)
            self.spent(call.spent)

    def recalled(self, provenance: Mapping[str, Any]) -> None:
        """Of a bundle; most small talk asks for nothing, and what was not asked took no time."""
        told = provenance.get("recall")
        if told is not None and told["how"] != NOT_ASKED:
            self._recall.labels(word(told["how"].replace(" ", "_"))).observe(told["milliseconds"] / 1000)

    def spent(self, spent: Iterable[Spending], purpose: str = REPLY) -> None:
        of = word(purpose)
        taken = self._taken.setdefault(of, Sums())
        for each in spent:
            tokens = asdict(each.tokens)
            taken.update(tokens)
            for which, count in tokens.items():
                self._tokens.labels(of, which).inc(count)
        if asked := taken["sent"] + taken["cache_read"] + taken["cache_write"]:
            self._cache_share.labels(of).set(taken["cache_read"] / asked)

    @contextmanager
    def passing(self, name: str) -> Iterator[None]:
        """Around one pass of the work beside; what it raises goes on to whoever runs it."""
        began, outcome = time.perf_counter(), "done"
        try:
            yield
        except BaseException as trouble:
            outcome = kind(trouble)
            raise
        finally:
            self._passes.labels(word(name), word(outcome)).inc()
            self._pass_seconds.labels(word(name)).observe(time.perf_counter() - began)

    def asked(self, operation: str, status: int, seconds: float) -> None:
        """One request to the daemon."""
        self._requests.labels(word(operation), str(status)).inc()
        self._request_seconds.labels(word(operation)).observe(seconds)

    def failed(self, what: str) -> None:
        self._failures.labels(word(what)).inc()

    def stuck(self, table: str, rows: int) -> None:
        self._stuck.labels(word(table)).set(rows)

    def heard_telegram(self) -> None:
        self._heard.set_to_current_time()

    def waiting(self, updates: int) -> None:
        self._waiting.set(updates)


def word(told: str) -> str:
    """A label is a short name that the program gave. What looks like an id or a sentence is not shown: each value is a
    series that Prometheus keeps, and that whoever looks there can read."""
    return told if re.fullmatch(r"[a-z_]{1,40}", told) else "other"


def kind(trouble: BaseException) -> str:
    """`ModelAway` as model_away; never what it says."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(trouble).__name__).lower()


@asynccontextmanager
async def serve(metrics: Metrics, listen: str | None) -> AsyncIterator[None]:
    """As long as this lasts, GET /metrics is answered there; by a thread, so also when the loop is busy."""
    if listen is None:
        yield
        return
    server = await asyncio.to_thread(_bind, metrics.registry, listen)
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    serving.start()
    try:
        yield
    finally:
        await asyncio.shield(asyncio.to_thread(_close, server, serving))


def _bind(registry: CollectorRegistry, listen: str) -> "_Server":
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    try:
        family, *_, address = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
        kind = type("_Bound", (_Server,), {"address_family": family})
        return make_server(str(address[0]), int(port), _only_metrics(registry), kind, _Silent)
    except (OSError, UnicodeError) as trouble:  # the latter for a host that is no name at all
        raise PortTaken("KEEPSAKE_METRICS_LISTEN", listen, trouble) from trouble


def _close(server: "_Server", serving: threading.Thread) -> None:
    server.shutdown()
    server.server_close()
    serving.join()


def _only_metrics(registry: CollectorRegistry) -> Callable[..., Iterable[bytes]]:
    metrics = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/metrics":
            return metrics(environ, start)  # type: ignore[no-any-return]
        start("404 Not Found", [("Content-Type", "text/plain")])
        return [b"The metrics are at /metrics.\n"]

    return answer


class _Server(ThreadingWSGIServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked went away meanwhile; the traceback that is printed by default is of no use to anybody."""
        log.debug("a request for metrics broke off")


class _Silent(WSGIRequestHandler):
    timeout = 10

    def log_message(self, format: str, *args: Any) -> None:
        pass
