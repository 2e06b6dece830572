"""Which signs an element of a pattern matches, and with which signs a sequence of elements can begin."""

import re
from importlib import import_module
from typing import Any

PARSER: Any = import_module("re._parser")
COMPILER: Any = import_module("re._compiler")
NAMES: Any = import_module("re._constants")
TYPE_FLAGS = re.ASCII | re.LOCALE | re.UNICODE
NEAR = 64  # signs; looking further ahead than that is work of its own


class Signs(dict[str, bool]):
    """Which signs an element of one sign matches, as far as anybody asked."""

    def __init__(self, judge: re.Pattern[str]) -> None:
        self._judge = judge

    def __missing__(self, sign: str) -> bool:
        found = self[sign] = self._judge.match(sign) is not None
        return found


class Alphabet:
    """The signs of every element of one pattern."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Signs] = {}

    def firsts(self, tree: Any, flags: int) -> tuple[list[Signs] | None, bool]:
        """What a sequence of elements can begin with, None for anything, and whether it can be empty."""
        found: list[Signs] = []
        for op, av in tree:
            firsts, is_empty = self._first(op, av, flags)
            if firsts is None:
                return None, False
            found += firsts
            if not is_empty:
                return found, False
        return found, True

    def _first(self, op: Any, av: Any, flags: int) -> tuple[list[Signs] | None, bool]:
        if op in COMPILER._UNIT_CODES:
            return [self.of(op, av, flags)], False
        if op is NAMES.AT:
            return [], True
        if op in {NAMES.ASSERT, NAMES.ASSERT_NOT}:
            return ([], True) if av[1].getwidth()[1] <= NEAR else (None, False)
        if op is NAMES.SUBPATTERN:
            return self.firsts(av[3], changed(flags, av[1], av[2]))
        if op is NAMES.ATOMIC_GROUP:
            return self.firsts(av, flags)
        if op in PARSER._REPEATCODES:
            firsts, is_empty = self.firsts(av[2], flags)
            return firsts, is_empty or av[0] == 0
        if op is NAMES.BRANCH:
            every = [self.firsts(way, flags) for way in av[1]]
            if any(firsts is None for firsts, _ in every):
                return None, False
            return [signs for firsts, _ in every for signs in firsts or []], any(is_empty for _, is_empty in every)
        return None, False

    def of(self, op: Any, av: Any, flags: int) -> Signs:
        key = (f"{op} {av}", flags)
        if key not in self._known:
            self._known[key] = Signs(compiled(op, av, flags))
        return self._known[key]


def compiled(op: Any, av: Any, flags: int) -> re.Pattern[str]:
    state = PARSER.State()
    state.flags = flags
    compiled: re.Pattern[str] = COMPILER.compile(PARSER.SubPattern(state, [(op, av)]), flags)
    return compiled


def changed(flags: int, added: int, taken: int) -> int:
    if added & TYPE_FLAGS:
        flags &= ~TYPE_FLAGS
    return (flags | added) & ~taken
