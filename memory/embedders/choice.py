"""From settings to the embedder that was chosen, and to the one that made the vectors which are still in use."""

from dataclasses import dataclass, field

from memory.embedders import bundled
from memory.embedders.base import Embedder
from memory.embedders.breaker import Breaker
from memory.embedders.bundled import BundledEmbedder
from memory.embedders.kept import Kept
from memory.settings import Settings

VOYAGE = "https://api.voyageai.com/v1"
OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    key: str | None = field(repr=False)

    def embedder(self, model: str) -> Embedder:
        # A start without a server need not pay for importing httpx.
        from memory.embedders.http import HttpEmbedder

        return Kept(Breaker(HttpEmbedder(self.url, model=model, key=self.key, tells_purpose=self.url == VOYAGE)))


@dataclass(frozen=True, slots=True)
class Former:
    """An embedder that serves until the wanted one has made its own vectors."""

    embedder: Embedder
    is_remote: bool


def embedder_from(settings: Settings) -> Embedder | None:
    """None where what is kept is found by its words alone."""
    if settings.embedder == "off":
        return None
    if (server := _server(settings)) is None:
        return Breaker(BundledEmbedder())
    usual = "voyage-3.5" if settings.embedder == "voyage" else "text-embedding-3-small"
    return server.embedder(settings.embedder_model or usual)


def former_from(settings: Settings, model: str) -> Former | None:
    """The embedder that made the vectors of this model, if it can still be asked: the bundled one always can, another
    model at the server that is set, or at the one that was set before."""
    if model == bundled.MODEL:
        return Former(Breaker(BundledEmbedder()), is_remote=False)
    if server := server_of_former(settings):
        return Former(server.embedder(model), is_remote=True)
    return None


def server_of_former(settings: Settings) -> Server | None:
    """Without a word about it, the server that is set is thought to have had the former model too."""
    if settings.embedder_before is None:
        return _server(settings)
    url = {"voyage": VOYAGE, "openai": OPENAI}.get(settings.embedder_before, settings.embedder_before)
    key = settings.embedder_before_key
    return Server(url, key.get_secret_value() if key else None)


def _server(settings: Settings) -> Server | None:
    key = settings.embedder_key.get_secret_value() if settings.embedder_key else None
    match settings.embedder:
        case "voyage":
            return Server(VOYAGE, key)
        case "openai":
            return Server(settings.embedder_url or OPENAI, key)
        case _:
            return None
