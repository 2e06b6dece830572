"""What finds by meaning: an embedder here or on a server."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.retrieval.embedders.registry import EMBEDDERS, OFF, SERVERS, EmbedderSpec, join_with_or
from memory.settings.values import WebAddress, embedder_or_off, embeddings_server, header_value, setting

USUAL_MODELS = join_with_or(*(server.model for server in SERVERS.values()))


class EmbedderSettings(BaseModel):
    embedder: Annotated[str, AfterValidator(embedder_or_off)] = setting(
        "KEEPSAKE_EMBEDDER",
        "Search by meaning: bundled (local, no account), voyage, openai (or compatible: Ollama, vLLM), "
        "off (words only).",
        wants=join_with_or(*EMBEDDERS, OFF),
        default="bundled",
    )
    embedder_key: Annotated[SecretStr, AfterValidator(header_value)] | None = setting(
        "KEEPSAKE_EMBEDDER_KEY",
        f"API key for {join_with_or(*SERVERS)}. Your own server may not need one.",
        wants="an API key",
    )
    embedder_model: str | None = setting(
        "KEEPSAKE_EMBEDDER_MODEL",
        f"Model for {join_with_or(*SERVERS)}. Empty: {USUAL_MODELS}.",
        wants="a model id of at most 200 characters",
        max_length=200,
    )
    embedder_url: WebAddress | None = setting(
        "KEEPSAKE_EMBEDDER_URL",
        "Server for openai, e.g. http://127.0.0.1:11434/v1. Empty: OpenAI.",
        wants="an address that begins with http:// or https://",
    )
    embedder_before: Annotated[str, AfterValidator(embeddings_server)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE",
        f"Previous server, after a change: {join_with_or(*SERVERS, 'its address')}. Its vectors are used until the new "
        "ones are done.",
        wants=join_with_or(*SERVERS, "an address that begins with http:// or https://"),
    )
    embedder_before_key: Annotated[SecretStr, AfterValidator(header_value)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE_KEY", "API key for the server in KEEPSAKE_EMBEDDER_BEFORE.", wants="an API key"
    )

    def embedder_key_of(self, known: EmbedderSpec) -> SecretStr | None:
        key = getattr(self, known.key_setting)
        assert key is None or isinstance(key, SecretStr)
        return key
