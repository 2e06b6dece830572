"""Any server with an OpenAI-compatible /embeddings endpoint (OpenAI, Ollama, vLLM), and Voyage."""

import asyncio
from collections.abc import Sequence
from typing import Literal

import httpx
from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from memory.errors import EmbedderAway
from memory.refusals import Refusal
from memory.retrieval.embedders.base import Vector, batches, prepare_text, unit_vector

Purpose = Literal["query", "document"]

BATCH_TEXTS = 64
BATCH_BYTES = 100_000
# 4,096 numbers of 25 digits, per text.
ANSWER_BYTES = 100_000
MAX_PAUSE_LENGTH = 5.0
# Long enough to reuse the connection after a pause in a chat.
IDLE_SECONDS = 600.0
# The most that fits into a database row.
MAX_DIMENSIONS = 4_000
BUSY = {408, 425, 429}
PLAIN_WORD = "hello"


class TextsRefused(EmbedderAway):
    """The server answered, but without vectors: either it rejects one of these texts, or it is broken."""


class ServerBusy(EmbedderAway):
    """Worth another attempt."""

    def __init__(self, reason: Refusal | str = "", /, *, retry_after: float | None = None, **values: object) -> None:
        super().__init__(reason, **values)
        self.retry_after = retry_after


class ServerFailed(ServerBusy, TextsRefused):
    """Status 500: worth another attempt, though Ollama also returns it for a text that it cannot embed."""


class EmbeddingItem(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int | None = None
    embedding: list[FiniteFloat]


class EmbeddingsResponse(BaseModel):
    data: list[EmbeddingItem]


class HttpEmbedder:
    """Owns its HTTP client: `close` also closes one that was passed in."""

    def __init__(
        self,
        url: str,
        *,
        model: str,
        key: str | None = None,
        sends_purpose: bool = False,
        client: httpx.AsyncClient | None = None,
        seconds: float = 30.0,
        pause: float = 0.5,
    ) -> None:
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        # No compression, so that a small response cannot expand beyond the size limit.
        self._headers = {"accept-encoding": "identity"} | ({"authorization": f"Bearer {key}"} if key else {})
        self._sends_purpose = sends_purpose
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
        """Opens the connection and makes the server load its model; some load it on the first request only."""
        await self.query(PLAIN_WORD)

    async def query(self, text: str) -> Vector:
        [vector] = await self._embed([prepare_text(text)], "query")
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([prepare_text(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._embed(batch, "document")
            except TextsRefused:
                # Raises if even a plain word is refused: then the server is broken, and no text is to blame.
                await self.query(PLAIN_WORD)
                vectors += [await self._embed_single(text) for text in batch]
        return vectors

    async def _embed_single(self, text: str) -> Vector | None:
        try:
            [vector] = await self._embed([text], "document")
        except TextsRefused:
            return None
        return vector

    async def _embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        """Up to three attempts within the deadline. The server may ask for longer pauses (`retry-after`)."""
        try:
            async with asyncio.timeout(self._seconds):
                for pause in (self._pause, 2 * self._pause):
                    try:
                        return self._vectors(await self._post(texts, purpose), len(texts))
                    except ServerBusy as busy:
                        retry_after = busy.retry_after
                    await asyncio.sleep(min(pause if retry_after is None else retry_after, MAX_PAUSE_LENGTH))
                return self._vectors(await self._post(texts, purpose), len(texts))
        except TimeoutError as error:
            raise EmbedderAway(Refusal.EMBEDDER_TIMEOUT, most=self._seconds) from error

    async def _post(self, texts: Sequence[str], purpose: Purpose) -> bytes:
        payload: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._sends_purpose:
            payload["input_type"] = purpose
        try:
            # A redirect could send the key to another host.
            async with self._client.stream(
                "POST", self._url, json=payload, headers=self._headers, follow_redirects=False
            ) as response:
                check_status(response)
                return await read_limited(response, at_most=ANSWER_BYTES * (1 + len(texts)))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServerBusy(Refusal.EMBEDDER_UNREACHABLE, why=error.__class__.__name__) from error

    def _vectors(self, body: bytes, count: int) -> list[Vector]:
        try:
            items = EmbeddingsResponse.model_validate_json(body).data
        except ValidationError:
            raise TextsRefused(Refusal.EMBEDDER_UNREADABLE) from None
        if all(item.index is not None for item in items):
            items = sorted(items, key=lambda item: item.index or 0)
        vectors = [vector for item in items if (vector := unit_vector(item.embedding)) is not None]
        if len(vectors) != count or len(items) != count:
            raise TextsRefused(Refusal.EMBEDDER_COUNT)
        sizes = {len(vector) for vector in vectors} | ({self._size} if self._size else set())
        if len(sizes) != 1:
            raise TextsRefused(Refusal.EMBEDDER_SIZES)
        [self._size] = sizes
        if self._size > MAX_DIMENSIONS:
            raise EmbedderAway(Refusal.EMBEDDER_TOO_WIDE, size=self._size, most=MAX_DIMENSIONS)
        return vectors

    async def close(self) -> None:
        await self._client.aclose()


def check_status(response: httpx.Response) -> None:
    status = response.status_code
    if status in {401, 403}:
        raise EmbedderAway(Refusal.EMBEDDER_KEY_WRONG)
    if status == 404:
        raise EmbedderAway(Refusal.EMBEDDER_NOT_FOUND)
    if status == 500:
        raise ServerFailed(Refusal.EMBEDDER_FAILED, status=status)
    if status in BUSY or status > 500:
        raise ServerBusy(Refusal.EMBEDDER_BUSY, status=status, retry_after=retry_after_seconds(response))
    if status != 200:
        raise TextsRefused(Refusal.EMBEDDER_REFUSED, status=status)


def retry_after_seconds(response: httpx.Response) -> float | None:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else None


async def read_limited(response: httpx.Response, *, at_most: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > at_most:
            raise TextsRefused(Refusal.EMBEDDER_TOO_MUCH)
    return bytes(body)
