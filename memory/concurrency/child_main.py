"""Entry point of every child process: answers requests on its pipes and exits with its parent.

    python -P child_main.py HANDLER ARGUMENT...

HANDLER is a file that defines `handler(*arguments)`. It returns a function that answers one request: bytes in, bytes
out. Each request and each answer is a frame: its length in eight bytes, then the bytes themselves. `child_process.py`
is the parent's side.

The script runs by path and imports only the standard library. A child therefore starts fast and loads only what its
handler needs. The child exits if its handler fails. It also exits with its parent, even if the parent is killed while
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
    # A core dump would contain personal content.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    # Output that a library prints must not pass for an answer.
    os.dup2(2, 1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(requests,), daemon=True).start()
    try:
        answer = runpy.run_path(sys.argv[1])["handler"](*sys.argv[2:])
        while True:
            response = answer(requests.get())
            answers.write(LENGTH.pack(len(response)))
            answers.write(response)
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
