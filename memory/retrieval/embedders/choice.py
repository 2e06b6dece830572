"""From settings to the embedder that was chosen, and to the one that made the vectors which are still in use.

Which embedders there are, and how to add one, stands in `known.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import SecretStr

from memory.retrieval.embedders.base import Embedder
from memory.retrieval.embedders.breaker import Breaker
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.embedders.bundled_engine import INSTEAD, why_not_here
from memory.retrieval.embedders.known import EMBEDDERS, SERVERS
from memory.retrieval.embedders.question_cache import CachedQuestions
from memory.settings import Settings


@dataclass(frozen=True, slots=True)
class LocalEmbedder:
    make: Callable[[], Embedder]
    why_not_here: Callable[[], str | None]
    """What this machine lacks for it; told without loading it."""


# One for each row without an address.
LOCAL_EMBEDDERS: dict[str, LocalEmbedder] = {"bundled": LocalEmbedder(BundledEmbedder, why_not_here)}


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    key: str | None = field(repr=False)

    def embedder(self, model: str) -> Embedder:
        # A start without a server need not pay for importing httpx.
        from memory.retrieval.embedders.server import HttpEmbedder

        tells_purpose = any(known.tells_purpose for known in SERVERS.values() if known.url == self.url)
        return CachedQuestions(Breaker(HttpEmbedder(self.url, model=model, key=self.key, tells_purpose=tells_purpose)))


@dataclass(frozen=True, slots=True)
class Former:
    """An embedder that serves until the wanted one has made its own vectors."""

    embedder: Embedder
    is_remote: bool


def embedder_from(settings: Settings) -> Embedder | None:
    """None where what is kept is found by its words alone."""
    known = EMBEDDERS.get(settings.embedder)
    if known is None:
        return None
    if server := _server(settings):
        return server.embedder(settings.embedder_model or known.model)
    return Breaker(LOCAL_EMBEDDERS[known.name].make())


def cannot_run_here(settings: Settings) -> str | None:
    """Why the chosen embedder does not work on this machine, and what to set instead."""
    local = LOCAL_EMBEDDERS.get(settings.embedder)
    trouble = local.why_not_here() if local else None
    return f"{trouble} {INSTEAD}" if trouble else None


def is_remote(settings: Settings) -> bool:
    """Whether the chosen embedder is on a server."""
    return settings.embedder in SERVERS


def former_from(settings: Settings, model: str) -> Former | None:
    """The embedder that made the vectors of this model, if it can still be asked: one on this machine always can,
    another model at the server that is set, or at the one that was set before."""
    for name, local in LOCAL_EMBEDDERS.items():
        if EMBEDDERS[name].model == model:
            return Former(Breaker(local.make()), is_remote=False)
    if server := server_of_former(settings):
        return Former(server.embedder(model), is_remote=True)
    return None


def server_of_former(settings: Settings) -> Server | None:
    """Without a word about it, the server that is set is thought to have had the former model too."""
    if settings.embedder_before is None:
        return _server(settings)
    known = SERVERS.get(settings.embedder_before)
    url = known.url if known and known.url else settings.embedder_before
    return Server(url, _plain(settings.embedder_before_key))


def _server(settings: Settings) -> Server | None:
    known = SERVERS.get(settings.embedder)
    if known is None or known.url is None:
        return None
    url = settings.embedder_url if known.takes_url else None
    return Server(url or known.url, _plain(settings.embedder_key_of(known)))


def _plain(key: SecretStr | None) -> str | None:
    return key.get_secret_value() if key else None
