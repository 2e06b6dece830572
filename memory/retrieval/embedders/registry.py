"""The table of embedders. The settings, their descriptions and `factory.py` derive from it.

- To add a server with OpenAI's /embeddings endpoint, add a row here, and its name to the description of
  KEEPSAKE_EMBEDDER in `memory/settings/groups/embedders.py`. All servers share KEEPSAKE_EMBEDDER_KEY; for a key of its
  own, add a setting there.
- To add an engine on this machine, add a row without a URL, a module that implements `base.py`, and an entry in
  `LOCAL_EMBEDDERS` of `factory.py`.

The settings import this module, so it imports nothing from Keepsake.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    name: str
    """The value of KEEPSAKE_EMBEDDER."""
    model: str
    """The default model. For a server, KEEPSAKE_EMBEDDER_MODEL can set another."""
    url: str | None = None
    """None for an engine on this machine."""
    key_setting: str = "embedder_key"
    """The settings field with the server's API key."""
    takes_url: bool = False
    """True if KEEPSAKE_EMBEDDER_URL can point to a compatible server, which may need no key."""
    sends_purpose: bool = False
    """True if requests mark a text as a query or a document."""

    @property
    def is_remote(self) -> bool:
        return self.url is not None


OFF = "off"
EMBEDDERS = {
    spec.name: spec
    for spec in (
        EmbedderSpec("bundled", "multilingual-e5-small-q4"),
        EmbedderSpec("voyage", "voyage-3.5", "https://api.voyageai.com/v1", sends_purpose=True),
        EmbedderSpec("openai", "text-embedding-3-small", "https://api.openai.com/v1", takes_url=True),
    )
}
SERVERS = {name: spec for name, spec in EMBEDDERS.items() if spec.is_remote}


def join_with_or(*names: str) -> str:
    """Join names for a sentence: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
