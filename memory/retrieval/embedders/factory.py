"""Creates the embedder from the settings, and the previous one while its vectors are in use.

`registry.py` lists the embedders and explains how to add one.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import SecretStr

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Embedder
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.embedders.bundled_engine import why_unsupported
from memory.retrieval.embedders.circuit_breaker import CircuitBreaker
from memory.retrieval.embedders.query_cache import QueryCache
from memory.retrieval.embedders.registry import EMBEDDERS, SERVERS
from memory.settings import Settings


@dataclass(frozen=True, slots=True)
class LocalEmbedder:
    make: Callable[[], Embedder]
    why_unsupported: Callable[[], EmbedderAway | None]
    """Returns what this machine lacks, without loading the embedder."""


# One for each embedder without a URL.
LOCAL_EMBEDDERS: dict[str, LocalEmbedder] = {"bundled": LocalEmbedder(BundledEmbedder, why_unsupported)}


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    key: str | None = field(repr=False)

    def embedder(self, model: str) -> Embedder:
        # Imported here, so that a start without a server does not import httpx.
        from memory.retrieval.embedders.server import HttpEmbedder

        sends_purpose = any(spec.sends_purpose for spec in SERVERS.values() if spec.url == self.url)
        return QueryCache(
            CircuitBreaker(HttpEmbedder(self.url, model=model, key=self.key, sends_purpose=sends_purpose))
        )


@dataclass(frozen=True, slots=True)
class PreviousEmbedder:
    """The embedder in use until the chosen one has embedded everything."""

    embedder: Embedder
    is_remote: bool


def make_embedder(settings: Settings) -> Embedder | None:
    """Return the chosen embedder, or None if search uses words only."""
    spec = EMBEDDERS.get(settings.embedder)
    if spec is None:
        return None
    if server := _server(settings):
        return server.embedder(settings.embedder_model or spec.model)
    return CircuitBreaker(LOCAL_EMBEDDERS[spec.name].make())


def why_embedder_unsupported(settings: Settings) -> EmbedderAway | None:
    """Return why the chosen embedder does not work on this machine, and what to set instead."""
    local = LOCAL_EMBEDDERS.get(settings.embedder)
    return local.why_unsupported() if local else None


def is_remote(settings: Settings) -> bool:
    """Return whether the chosen embedder is on a server."""
    return settings.embedder in SERVERS


def make_previous_embedder(settings: Settings, model: str) -> PreviousEmbedder | None:
    """Return the embedder of an earlier model, if it is still available. A local one always is. A remote one is on the
    previous server, or on the present one."""
    for name, local in LOCAL_EMBEDDERS.items():
        if EMBEDDERS[name].model == model:
            return PreviousEmbedder(CircuitBreaker(local.make()), is_remote=False)
    if server := previous_server(settings):
        return PreviousEmbedder(server.embedder(model), is_remote=True)
    return None


def previous_server(settings: Settings) -> Server | None:
    """Return the server of the previous model. By default that is the present server."""
    if settings.embedder_before is None:
        return _server(settings)
    spec = SERVERS.get(settings.embedder_before)
    url = spec.url if spec and spec.url else settings.embedder_before
    return Server(url, _plain(settings.embedder_before_key))


def _server(settings: Settings) -> Server | None:
    spec = SERVERS.get(settings.embedder)
    if spec is None or spec.url is None:
        return None
    url = settings.embedder_url if spec.takes_url else None
    return Server(url or spec.url, _plain(settings.embedder_key_of(spec)))


def _plain(key: SecretStr | None) -> str | None:
    return key.get_secret_value() if key else None
