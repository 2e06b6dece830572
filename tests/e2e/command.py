"""Stands for the program where a shell or a library wants a command: the nursery named by NURSERY forks it, with the
standard streams, the folder, the environment and the signals of this process. It imports the standard library only."""

import contextlib
import json
import os
import signal
import socket
import sys


def pass_on(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it ended a moment before
        os.kill(pid, number)


def main() -> None:
    environment = dict(os.environ)
    changes = json.loads(environment.pop("NURSERY_CHANGES"))
    with socket.socket(socket.AF_UNIX) as line, line.makefile("r") as told:
        line.connect(environment.pop("NURSERY"))
        request = {
            "arguments": sys.argv[1:],
            "environment": environment,
            "folder": os.getcwd(),
            "is_session": False,
            "changes": changes,
            "armed": "",
            "holder": "",
        }
        written = json.dumps(request).encode()
        socket.send_fds(line, [len(written).to_bytes(8, "big")], [0, 1, 2])
        line.sendall(written)
        pid = int(told.readline())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda got, _: pass_on(pid, got))
        os.closerange(0, 2)  # or who waits for the ends of these streams would wait for us
        status = int(told.readline().split()[0])
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


main()
