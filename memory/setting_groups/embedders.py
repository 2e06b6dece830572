"""What finds by meaning: an embedder here or on a server."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.setting_values import WebAddress, embeddings_server, fits_a_header, setting


class Embedders(BaseModel):
    embedder: Literal["bundled", "voyage", "openai", "off"] = setting(
        "KEEPSAKE_EMBEDDER",
        "Finds by meaning: bundled (here, no account), voyage, openai (or alike: Ollama, vLLM), off (by words alone).",
        wants="bundled, voyage, openai or off",
        default="bundled",
    )
    embedder_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_KEY", "API key for voyage or openai; a server of your own may need none.", wants="an API key"
    )
    embedder_model: str | None = setting(
        "KEEPSAKE_EMBEDDER_MODEL",
        "Model for voyage or openai. Empty: voyage-3.5 or text-embedding-3-small.",
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
        "After leaving a server: voyage, openai or its address. Its vectors serve until the new ones are made.",
        wants="voyage, openai or an address that begins with http:// or https://",
    )
    embedder_before_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE_KEY", "API key for the server in KEEPSAKE_EMBEDDER_BEFORE.", wants="an API key"
    )
