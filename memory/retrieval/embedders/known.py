"""The embedders that there are, as one table: the settings, what they say and `choice.py` derive from it.

- A further server with OpenAI's /embeddings endpoint is a row, and its name in the meaning of KEEPSAKE_EMBEDDER in
  `memory/settings/groups/embedders.py`. All servers share KEEPSAKE_EMBEDDER_KEY; a key of its own is a setting there.
- A further engine on this machine is a row without an address, a module that keeps to `base.py`, and a line in
  `LOCAL_EMBEDDERS` of `choice.py`.

The settings import this module, so it imports nothing of Keepsake.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownEmbedder:
    name: str
    """As KEEPSAKE_EMBEDDER has it."""
    model: str
    """The usual one; KEEPSAKE_EMBEDDER_MODEL may name another of a server."""
    url: str | None = None
    """None for an engine on this machine."""
    key_setting: str = "embedder_key"
    """The field of the settings that holds a server's key."""
    takes_url: bool = False
    """Whether KEEPSAKE_EMBEDDER_URL may name another server of its kind, which needs no key."""
    tells_purpose: bool = False
    """Whether the server is told what is a question and what a document."""

    @property
    def is_remote(self) -> bool:
        return self.url is not None


OFF = "off"
EMBEDDERS = {
    known.name: known
    for known in (
        KnownEmbedder("bundled", "multilingual-e5-small-q4"),
        KnownEmbedder("voyage", "voyage-3.5", "https://api.voyageai.com/v1", tells_purpose=True),
        KnownEmbedder("openai", "text-embedding-3-small", "https://api.openai.com/v1", takes_url=True),
    )
}
SERVERS = {name: known for name, known in EMBEDDERS.items() if known.is_remote}


def listed(*names: str) -> str:
    """As a sentence lists them: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
