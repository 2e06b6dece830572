"""Any server with an OpenAI-compatible /embeddings endpoint (OpenAI, Ollama, vLLM), and Voyage."""

import asyncio
from collections.abc import Sequence
from typing import Literal

import httpx
from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Vector, batches, fit, unit

Purpose = Literal["query", "document"]

BATCH_TEXTS = 64
BATCH_BYTES = 100_000
# 4,096 numbers of 25 digits, for every text.
ANSWER_BYTES = 100_000
LONGEST_PAUSE = 5.0
# A connection that chats find open again, after the pauses that people make.
IDLE_SECONDS = 600.0
# What fits into a row of the database.
MOST_NUMBERS = 4_000
BUSY = {408, 425, 429}
PLAIN_WORD = "hello"


class TextsRefused(EmbedderAway):
    """The server is there, but had no vectors for these texts: one of them may be to blame, or all would fail."""


class ServerBusy(EmbedderAway):
    """Worth another attempt."""

    def __init__(self, sentence: str, *, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class ServerFailed(ServerBusy, TextsRefused):
    """Status 500: worth another attempt, but Ollama also says so of a text that it makes no numbers of."""


class EmbeddingItem(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int | None = None
    embedding: list[FiniteFloat]


class EmbeddingsResponse(BaseModel):
    data: list[EmbeddingItem]


class HttpEmbedder:
    """A client that is passed in is closed with it."""

    def __init__(
        self,
        url: str,
        *,
        model: str,
        key: str | None = None,
        tells_purpose: bool = False,
        client: httpx.AsyncClient | None = None,
        seconds: float = 30.0,
        pause: float = 0.5,
    ) -> None:
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        # An answer that is not compressed cannot be larger than it seems.
        self._headers = {"accept-encoding": "identity"} | ({"authorization": f"Bearer {key}"} if key else {})
        self._tells_purpose = tells_purpose
        self._client = client or httpx.AsyncClient(
            timeout=httpx.Timeout(seconds, connect=5.0),
            limits=httpx.Limits(max_connections=20, keepalive_expiry=IDLE_SECONDS),
        )
        self._seconds = seconds
        self._pause = pause
        self._size: int | None = None

    @property
    def model(self) -> str:
        return self._model

    async def warm(self) -> None:
        """Opens the connection, and makes a server that loads its model when it is asked load it."""
        await self.query(PLAIN_WORD)

    async def query(self, text: str) -> Vector:
        [vector] = await self._embed([fit(text)], "query")
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([fit(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._embed(batch, "document")
            except TextsRefused:
                # A server that refuses a plain word too is broken or wrongly set up, and no text is to blame.
                await self.query(PLAIN_WORD)
                vectors += [await self._alone(text) for text in batch]
        return vectors

    async def _alone(self, text: str) -> Vector | None:
        try:
            [vector] = await self._embed([text], "document")
        except TextsRefused:
            return None
        return vector

    async def _embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Within the deadline: three attempts, with pauses between them that the server may prolong."""
        try:
            async with asyncio.timeout(self._seconds):
                for pause in (self._pause, 2 * self._pause):
                    try:
                        return self._vectors(await self._post(texts, purpose), len(texts))
                    except ServerBusy as busy:
                        told = busy.retry_after
                    await asyncio.sleep(min(pause if told is None else told, LONGEST_PAUSE))
                return self._vectors(await self._post(texts, purpose), len(texts))
        except TimeoutError as error:
            raise EmbedderAway(f"The embeddings server took longer than {self._seconds:g} seconds.") from error

    async def _post(self, texts: Sequence[str], purpose: Purpose) -> bytes:
        wish: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._tells_purpose:
            wish["input_type"] = purpose
        try:
            # The key is for this host alone, so no redirect is followed.
            async with self._client.stream(
                "POST", self._url, json=wish, headers=self._headers, follow_redirects=False
            ) as response:
                check_status(response)
                return await read(response, at_most=ANSWER_BYTES * (1 + len(texts)))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServerBusy(f"The embeddings server cannot be reached ({error.__class__.__name__}).") from error

    def _vectors(self, body: bytes, count: int) -> list[Vector]:
        try:
            items = EmbeddingsResponse.model_validate_json(body).data
        except ValidationError:
            raise TextsRefused("The embeddings server answered with something that is no embedding.") from None
        if all(item.index is not None for item in items):
            items = sorted(items, key=lambda item: item.index or 0)
        vectors = [vector for item in items if (vector := unit(item.embedding)) is not None]
        if len(vectors) != count or len(items) != count:
            raise TextsRefused("The embeddings server answered with another number of embeddings than was asked for.")
        sizes = {len(vector) for vector in vectors} | ({self._size} if self._size else set())
        if len(sizes) != 1:
            raise TextsRefused("The embeddings server answered with embeddings of different sizes.")
        [self._size] = sizes
        if self._size > MOST_NUMBERS:
            raise EmbedderAway(f"Embeddings of {self._size} numbers cannot be kept; at most {MOST_NUMBERS} can.")
        return vectors

    async def close(self) -> None:
        await self._client.aclose()


def check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status in {401, 403}:
        raise EmbedderAway("KEEPSAKE_EMBEDDER_KEY was refused by the embeddings server; please check it.")
    if status == 404:
        raise EmbedderAway("The embeddings server has no such address or no such model; please check both.")
    if status == 500:
        raise ServerFailed("The embeddings server failed (status 500).")
    if status in BUSY or status > 500:
        raise ServerBusy(f"The embeddings server is busy (status {status}).", retry_after=seconds_to_wait(response))
    if status != 200:
        raise TextsRefused(f"The embeddings server refused the call (status {status}).")


def seconds_to_wait(response: httpx.Response) -> float | None:
    told = response.headers.get("retry-after", "")
    return float(told) if told.isascii() and told.isdigit() else None


async def read(response: httpx.Response, *, at_most: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > at_most:
            raise TextsRefused("The embeddings server answered with far more than embeddings.")
    return bytes(body)
