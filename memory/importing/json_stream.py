"""Reads JSON piece by piece, as far as somebody asks for it: a file of any size takes no more room than one piece."""

from collections.abc import Iterator
from typing import Any

import ijson  # type: ignore[import-untyped]

from memory.errors import Refused
from memory.importing.json_bytes import BLOCK, JsonBytes
from memory.refusals import Refusal

MAX_DEPTH, MAX_PARTS = 100, 2_000_000
OPENS, CLOSES = frozenset({"start_map", "start_array"}), frozenset({"end_map", "end_array"})


class JsonStream:
    """Walks through one document. After a key or at an item its value is next: taken, walked into, or skipped."""

    def __init__(self, letters: JsonBytes) -> None:
        self._letters, self._name = letters, letters.name
        self._events: Iterator[tuple[str, Any]] = ijson.basic_parse(letters, buf_size=BLOCK)
        self._waits = True
        self._ahead: tuple[str, Any] | None = None

    def _next(self) -> tuple[str, Any]:
        if (ahead := self._ahead) is not None:
            self._ahead = None
            return ahead
        self._letters.made_progress = True
        try:
            return next(self._events)
        except (ijson.JSONError, StopIteration, ValueError) as error:
            raise Refused(Refusal.IMPORT_INCOMPLETE, name=self._name) from error

    def is_list(self) -> bool:
        """Whether the value that is next is one."""
        return self._peek() == "start_array"

    def is_map(self) -> bool:
        return self._peek() == "start_map"

    def _peek(self) -> str:
        if self._ahead is None:
            self._ahead = self._next()
        return self._ahead[0]

    def each_key(self) -> Iterator[str]:
        """The keys of the value that is next, each with its value; none, where it is no map."""
        if not self.is_map():
            self.skip()
            return
        self._next()
        self._waits = False
        while True:
            event, key = self._next()
            if event == "end_map":
                break
            self._waits = True
            yield key
            if self._waits:
                self.skip()
        self._waits = False

    def each_item(self) -> Iterator[None]:
        """Stops at each item of the value that is next; at none, where it is no list."""
        if not self.is_list():
            self.skip()
            return
        self._next()
        while self._peek() != "end_array":
            self._waits = True
            yield
            if self._waits:
                self.skip()
        self._next()
        self._waits = False

    def skip(self) -> None:
        depth = 0
        while True:
            event, _ = self._next()
            depth += (event in OPENS) - (event in CLOSES)
            if depth > MAX_DEPTH:
                raise Refused(Refusal.IMPORT_TOO_DEEP, name=self._name)
            if depth == 0 and event != "map_key":
                break
        self._waits = False

    def value(self) -> Any:
        """All of the value that is next."""
        self._waits = False
        event, value = self._next()
        if event not in OPENS:
            return value
        whole: Any = {} if event == "start_map" else []
        within, keys = [whole], [""]
        for _ in range(MAX_PARTS):
            event, value = self._next()
            if event == "map_key":
                keys[-1] = value
                continue
            if event in CLOSES:
                within.pop()
                keys.pop()
                if not within:
                    return whole
                continue
            if event in OPENS:
                value = {} if event == "start_map" else []
            here = within[-1]
            if isinstance(here, dict):
                here[keys[-1]] = value
            else:
                here.append(value)
            if event in OPENS:
                within.append(value)
                keys.append("")
                if len(within) > MAX_DEPTH:
                    break
        raise Refused(Refusal.IMPORT_TOO_DEEP, name=self._name)

    def finish(self) -> None:
        """The document ends here; whatever follows makes it none."""
        for _ in self._events_left():
            raise Refused(Refusal.IMPORT_INCOMPLETE, name=self._name)

    def _events_left(self) -> Iterator[tuple[str, Any]]:
        try:
            yield from self._events
        except (ijson.JSONError, ValueError) as error:
            raise Refused(Refusal.IMPORT_INCOMPLETE, name=self._name) from error
