"""What finds by meaning: an embedder here or on a server."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.retrieval.embedders.known import EMBEDDERS, OFF, SERVERS, KnownEmbedder, listed
from memory.settings.values import WebAddress, embedder_or_off, embeddings_server, fits_a_header, setting

USUAL_MODELS = listed(*(server.model for server in SERVERS.values()))


class EmbedderSettings(BaseModel):
    embedder: Annotated[str, AfterValidator(embedder_or_off)] = setting(
        "KEEPSAKE_EMBEDDER",
        "Finds by meaning: bundled (here, no account), voyage, openai (or alike: Ollama, vLLM), off (by words alone).",
        wants=listed(*EMBEDDERS, OFF),
        default="bundled",
    )
    embedder_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_KEY",
        f"API key for {listed(*SERVERS)}; a server of your own may need none.",
        wants="an API key",
    )
    embedder_model: str | None = setting(
        "KEEPSAKE_EMBEDDER_MODEL",
        f"Model for {listed(*SERVERS)}. Empty: {USUAL_MODELS}.",
        wants="a model id of at most 200 characters",
        max_length=200,
    )
    embedder_url: WebAddress | None = setting(
        "KEEPSAKE_EMBEDDER_URL",
        "Server for openai, e.g. http://127.0.0.1:11434/v1. Empty: OpenAI's own.",
        wants="an address that begins with http:// or https://",
    )
    embedder_before: Annotated[str, AfterValidator(embeddings_server)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE",
        f"After leaving a server: {listed(*SERVERS, 'its address')}. Its vectors serve until the new ones are made.",
        wants=listed(*SERVERS, "an address that begins with http:// or https://"),
    )
    embedder_before_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE_KEY", "API key for the server in KEEPSAKE_EMBEDDER_BEFORE.", wants="an API key"
    )

    def embedder_key_of(self, known: KnownEmbedder) -> SecretStr | None:
        key = getattr(self, known.key_setting)
        assert key is None or isinstance(key, SecretStr)
        return key
