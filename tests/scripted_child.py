"""A handler of a child that embeds every text as [length, 1], except those whose words tell it how to fail."""

import json
import os
import signal
from collections.abc import Callable


def handler(kind: str) -> Callable[[bytes], bytes]:
    return answer


def answer(request: bytes) -> bytes:
    texts = json.loads(request)
    if "crash" in texts:
        os._exit(1)
    if "hang" in texts:
        signal.pause()
    if "nonsense" in texts:
        return b"<html>"
    return json.dumps([[float("nan") if text == "nan" else len(text), 1] for text in texts]).encode()
