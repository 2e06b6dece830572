"""Prometheus metrics of this process. Labels are fixed names of the program, never a user's words or ids."""

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

from memory.context.calls import ModelCall
from memory.errors import PortTaken
from memory.model.loop import LoopResult
from memory.model.usage import REPLY, CallUsage

NOT_ASKED = "not asked"
ANSWERED = "answered"
ENDINGS = {"refusal": "refused", "max_tokens": "cut_off", "rounds": "too_many_steps", "broken off": "broken_off"}
RECALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.5, 10.0)
PASS_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 30.0, 60.0, 300.0, 900.0)

log = logging.getLogger(__name__)


class Metrics:
    """Metrics in a registry of their own. Every label value goes through `metric_label`."""

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
        self._passes = Counter("keepsake_passes", "Background passes, by outcome.", ["name", "outcome"], registry=here)
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
        self._waiting.set(float("nan"))  # not measured yet, which is not zero
        self._telegram_contact = Gauge(
            "keepsake_telegram_heard_timestamp_seconds", "When Telegram last answered or called us.", registry=here
        )
        self._telegram_contact.set(float("nan"))
        self._token_sums: dict[str, Sums[str]] = {}

    @contextmanager
    def measure_turn(self, call: ModelCall, result: LoopResult) -> Iterator[None]:
        """Wrap the model calls of a turn. Counts its outcome, recall and tokens."""
        failure = ""
        try:
            yield
        except BaseException as error:
            failure = exception_label(error)
            raise
        finally:
            self._turns.labels(metric_label(failure or ENDINGS.get(result.ended, ANSWERED))).inc()
            self.observe_recall(call.bundle.provenance)
            self.add_tokens(call.attempts)

    def observe_recall(self, provenance: Mapping[str, Any]) -> None:
        """Time the recall of a bundle. Small talk needs none, and would count as zero seconds."""
        recall = provenance.get("recall")
        if recall is not None and recall["how"] != NOT_ASKED:
            self._recall.labels(metric_label(recall["how"].replace(" ", "_"))).observe(recall["milliseconds"] / 1000)

    def add_tokens(self, attempts: Iterable[CallUsage], purpose: str = REPLY) -> None:
        label = metric_label(purpose)
        sums = self._token_sums.setdefault(label, Sums())
        for attempt in attempts:
            tokens = asdict(attempt.tokens)
            sums.update(tokens)
            for kind, count in tokens.items():
                self._tokens.labels(label, kind).inc(count)
        if input_tokens := sums["sent"] + sums["cache_read"] + sums["cache_write"]:
            self._cache_share.labels(label).set(sums["cache_read"] / input_tokens)

    @contextmanager
    def measure_pass(self, name: str) -> Iterator[None]:
        """Wrap one background pass. Counts it by outcome and times it; exceptions propagate."""
        started, outcome = time.perf_counter(), "done"
        try:
            yield
        except BaseException as error:
            outcome = exception_label(error)
            raise
        finally:
            self._passes.labels(metric_label(name), metric_label(outcome)).inc()
            self._pass_seconds.labels(metric_label(name)).observe(time.perf_counter() - started)

    def observe_request(self, operation: str, status: int, seconds: float) -> None:
        """One request to the daemon."""
        self._requests.labels(metric_label(operation), str(status)).inc()
        self._request_seconds.labels(metric_label(operation)).observe(seconds)

    def count_failure(self, what: str) -> None:
        self._failures.labels(metric_label(what)).inc()

    def set_stuck_rows(self, table: str, rows: int) -> None:
        self._stuck.labels(metric_label(table)).set(rows)

    def record_telegram_contact(self) -> None:
        self._telegram_contact.set_to_current_time()

    def set_inbox_waiting(self, updates: int) -> None:
        self._waiting.set(updates)


def metric_label(name: str) -> str:
    """The name if it is a plain short one, else "other". Prometheus keeps every label value as a readable series, so
    ids and texts must not get in."""
    return name if re.fullmatch(r"[a-z_]{1,40}", name) else "other"


def exception_label(error: BaseException) -> str:
    """`ModelAway` becomes model_away. The message is left out."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


@asynccontextmanager
async def serve(metrics: Metrics, listen: str | None) -> AsyncIterator[None]:
    """Serve GET /metrics at `listen` from a thread, so that it also answers while the event loop is busy."""
    if listen is None:
        yield
        return
    server = await asyncio.to_thread(_bind, metrics.registry, listen)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        await asyncio.shield(asyncio.to_thread(_close, server, thread))


def _bind(registry: CollectorRegistry, listen: str) -> "_MetricsServer":
    host, _, port = listen.rpartition(":")
    host = host.strip("[]")
    try:
        family, *_, address = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
        kind = type("_Bound", (_MetricsServer,), {"address_family": family})
        return make_server(str(address[0]), int(port), _only_metrics(registry), kind, _Silent)
    except (OSError, UnicodeError) as error:  # UnicodeError: a malformed host name
        raise PortTaken("KEEPSAKE_METRICS_LISTEN", listen, error) from error


def _close(server: "_MetricsServer", thread: threading.Thread) -> None:
    server.shutdown()
    server.server_close()
    thread.join()


def _only_metrics(registry: CollectorRegistry) -> Callable[..., Iterable[bytes]]:
    metrics = make_wsgi_app(registry)

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/metrics":
            return metrics(environ, start)  # type: ignore[no-any-return]
        start("404 Not Found", [("Content-Type", "text/plain")])
        return [b"The metrics are at /metrics.\n"]

    return answer


class _MetricsServer(ThreadingWSGIServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Replaces the default traceback on stderr: the client has only disconnected."""
        log.debug("a metrics client disconnected")


class _Silent(WSGIRequestHandler):
    timeout = 10

    def log_message(self, format: str, *args: Any) -> None:
        pass
