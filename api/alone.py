"""The process apart (api/apart.py): one piece of work comes pickled, what it gives goes back, and that is all it does.

It imports no more than the work itself needs, because it is started for each.
"""

import pickle
import resource
import sys

from memory.errors import Refused


def main() -> None:
    # A dump of this process would hold people's words.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 — from our own parent
    try:
        outcome = work(*arguments)
    except Refused as refused:
        outcome = refused
    sys.stdout.buffer.write(pickle.dumps(outcome))
