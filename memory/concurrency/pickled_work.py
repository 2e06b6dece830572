"""The handler of the child that `in_process.py` starts: one piece of work comes pickled, and what it gives goes back.

It imports no more than the work itself needs, because it is started for each.
"""

import json
import pickle
import sys
from collections.abc import Callable


def handler(path: str) -> Callable[[bytes], bytes]:
    """`path` is where the parent finds its modules."""
    sys.path[:] = json.loads(path)
    from memory.errors import Refused

    def answer(request: bytes) -> bytes:
        work, arguments = pickle.loads(request)  # noqa: S301 — from our own parent
        try:
            outcome = work(*arguments)
        except Refused as refused:
            outcome = refused
        return pickle.dumps(outcome)

    return answer
