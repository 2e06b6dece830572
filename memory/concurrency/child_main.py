"""The program of every child process: answers requests on its pipes, and ends with its parent.

    python -P child_main.py HANDLER ARGUMENT...

HANDLER is a file with a function `handler(*arguments)`, which gives the function that answers: bytes in, bytes out. A
request and an answer are each a frame: eight bytes with its length, then itself. The parent's side is in
`child_process.py`.

It is run by its path and imports the standard library only, so that a child starts fast and holds nothing but what its
handler needs. A handler that fails ends the child. So does the end of the parent, even of a killed one and even while
the handler works: a thread waits for the end of input.
"""

import os
import queue
import resource
import runpy
import struct
import sys
import threading

LENGTH = struct.Struct(">Q")


def main() -> None:
    # A dump of this process would hold people's words.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not pass for an answer.
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    try:
        answer = runpy.run_path(sys.argv[1])["handler"](*sys.argv[2:])
        while True:
            given = answer(requests.get())
            answers.write(LENGTH.pack(len(given)))
            answers.write(given)
            answers.flush()
    finally:
        os._exit(1)


def listen(requests: "queue.SimpleQueue[bytes]") -> None:
    frames = sys.stdin.buffer
    while len(head := frames.read(LENGTH.size)) == LENGTH.size:
        [length] = LENGTH.unpack(head)
        requests.put(frames.read(length))
    os._exit(0)


if __name__ == "__main__":
    main()
