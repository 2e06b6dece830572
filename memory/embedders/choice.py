"""From settings to the embedder that was chosen, with a breaker around it."""

from memory.embedders.base import Embedder
from memory.embedders.breaker import Breaker
from memory.embedders.bundled import BundledEmbedder
from memory.settings import Settings

VOYAGE = "https://api.voyageai.com/v1"
OPENAI = "https://api.openai.com/v1"


def embedder_from(settings: Settings) -> Embedder | None:
    """None where what is kept is found by its words alone."""
    match settings.embedder:
        case "off":
            return None
        case "bundled":
            return Breaker(BundledEmbedder())
        case "voyage" | "openai":
            return Breaker(_remote(settings))


def _remote(settings: Settings) -> Embedder:
    # A start without a server need not pay for importing httpx.
    from memory.embedders.http import HttpEmbedder

    key = settings.embedder_key.get_secret_value() if settings.embedder_key else None
    if settings.embedder == "voyage":
        return HttpEmbedder(VOYAGE, model=settings.embedder_model or "voyage-3.5", key=key, tells_purpose=True)
    return HttpEmbedder(
        settings.embedder_url or OPENAI, model=settings.embedder_model or "text-embedding-3-small", key=key
    )
