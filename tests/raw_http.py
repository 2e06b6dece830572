"""HTTP by hand, byte for byte, for requests that no client would send."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.waiting import STUCK


@dataclass(frozen=True, slots=True)
class Told:
    """What came back on the line until it was closed."""

    data: bytes

    @property
    def status(self) -> int:
        return int(self.data.split(b" ", 2)[1]) if self.data else 0

    @property
    def headers(self) -> dict[str, str]:
        lines = self.data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}

    @property
    def body(self) -> Any:
        return json.loads(self.data.partition(b"\r\n\r\n")[2])

    @property
    def statuses(self) -> list[int]:
        """Of several answers on one line."""
        return [int(each[:3]) for each in self.data.split(b"HTTP/1.1 ")[1:]]


def spelled(
    method: str, path: str | bytes, body: bytes = b"", *, key: str | None = None, **headers: str | bytes | None
) -> bytes:
    """A request. A header that is None is left out; its name has hyphens for underscores."""
    given: Mapping[str, str | bytes | None] = {
        "Host": "localhost",
        "Content_Length": str(len(body)),
        "Content_Type": "application/json",
        "Authorization": f"Bearer {key}" if key else None,
        "Connection": "close",
        **headers,
    }
    lines = [method.encode() + b" " + _bytes(path) + b" HTTP/1.1"]
    lines += [
        name.replace("_", "-").encode() + b": " + _bytes(value) for name, value in given.items() if value is not None
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


async def exchanged(url: str, *parts: bytes, pause: float = 0.0, seconds: float = STUCK) -> Told:
    """Send some bytes, with a pause between the parts, and read until the line is closed."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    heard = b""
    try:
        async with asyncio.timeout(seconds):
            for number, part in enumerate(parts):
                await asyncio.sleep(pause if number else 0)
                writer.write(part)
                await writer.drain()
            heard = await reader.read()
    except ConnectionError:
        pass
    finally:
        writer.close()
    return Told(heard)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")
