"""The handler of the child that `in_process.py` starts: it unpickles one piece of work and returns the pickled result.

A child is started for each piece of work, so this module imports only what the work needs.
"""

import json
import pickle
import sys
from collections.abc import Callable


def handler(path: str) -> Callable[[bytes], bytes]:
    """`path` is the parent's `sys.path` as JSON."""
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
