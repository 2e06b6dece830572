"""The spool: an encrypted file for what must not be lost while the database is away.

Every process appends to a file of its own, which it holds locked; the file of one that died is taken over by the next.
"""

import errno
import fcntl
import json
import os
import secrets
import threading
import time
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory.privacy.encryption import Keyring

Entry = Mapping[str, Any]


class Spool:
    def __init__(self, folder: Path, keyring: Keyring, tenant: str) -> None:
        self._folder = folder
        self._keyring = keyring
        self._place = f"{tenant}\0spool"
        self._file: int | None = None
        self._lock = threading.Lock()

    def add(self, entry: Entry) -> None:
        """Written to the disk, encrypted, before this returns."""
        sealed = self._keyring.wrap(json.dumps(entry, ensure_ascii=False).encode(), self._place)
        with self._lock:
            if self._file is None:
                self._file = self._new_file()
            _write(self._file, b64encode(sealed) + b"\n")

    def pending(self) -> dict[Path, list[Entry]]:
        """What waits, by file, in the order it was written: ours up to now (what comes later goes into another), and
        those whose process is gone."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None
        return {path: self._read(path) for path in sorted(self._folder.glob("*.spool")) if _is_nobodys(path)}

    def _new_file(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / f"{time.time_ns():020}-{secrets.token_hex(4)}.spool"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        return file

    def _read(self, path: Path) -> list[Entry]:
        """A line that a crash left half-written, or that no key of ours opens, is passed over."""
        entries: list[Entry] = []
        for line in path.read_bytes().split(b"\n"):
            try:
                opened = self._keyring.unwrap(b64decode(line, validate=True), self._place) if line else None
            except NotBase64:
                opened = None
            if opened is not None:
                entries.append(json.loads(opened))
        return entries


def _write(file: int, line: bytes) -> None:
    """All of it or nothing: half a line would spoil the next one."""
    before = os.fstat(file).st_size
    written = 0
    try:
        written = os.write(file, line)
        os.fsync(file)
    finally:
        if written < len(line):
            os.ftruncate(file, before)
    if written < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _is_nobodys(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
