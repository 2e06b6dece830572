"""Patterns that count: the matcher searches to count the steps, and `re` searches to give the result."""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.steps.counter import HERE, OURS, Counter
from tests.steps.matcher import Match, Matcher

EVER = sys.maxsize


class Disagreement(Exception):
    """The matcher found something else than `re` did, so its steps are worth nothing."""


class CountedPattern:
    """Stands in for a `re.Pattern[str]`."""

    def __init__(self, real: re.Pattern[str], counter: Counter) -> None:
        self._real, self._counter = real, counter
        self._made: Matcher | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def search(self, text: str, pos: int = 0, endpos: int = EVER) -> re.Match[str] | None:
        return self._once(lambda matcher: matcher.search(text, pos, endpos), self._real.search, text, pos, endpos)

    def match(self, text: str, pos: int = 0, endpos: int = EVER) -> re.Match[str] | None:
        return self._once(lambda matcher: matcher.match(text, pos, endpos), self._real.match, text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = EVER) -> re.Match[str] | None:
        return self._once(
            lambda matcher: matcher.match(text, pos, endpos, whole=True), self._real.fullmatch, text, pos, endpos
        )

    def finditer(self, text: str, pos: int = 0, endpos: int = EVER) -> Iterator[re.Match[str]]:
        if not self._counter.is_counting:
            yield from self._real.finditer(text, pos, endpos)
            return
        real = self._real.finditer(text, pos, endpos)
        not_empty = False
        while True:
            begin = pos
            counted = self._counted(lambda matcher: matcher.search(text, begin, endpos, not_empty=not_empty))  # noqa: B023
            found = next(real, None)
            self._compare(counted, found)
            if found is None:
                return
            yield found
            pos, not_empty = found.end(), found.end() == found.start()

    def findall(self, text: str, pos: int = 0, endpos: int = EVER) -> list[Any]:
        self._read(text, 0, pos, endpos)
        return self._real.findall(text, pos, endpos)

    def sub(self, repl: Any, text: str, count: int = 0) -> str:
        self._read(text, count)
        return self._real.sub(repl, text, count)

    def subn(self, repl: Any, text: str, count: int = 0) -> tuple[str, int]:
        self._read(text, count)
        return self._real.subn(repl, text, count)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        self._read(text, maxsplit)
        return self._real.split(text, maxsplit)

    def _read(self, text: str, most: int, pos: int = 0, endpos: int = EVER) -> None:
        if self._counter.is_counting:
            for number, _ in enumerate(self.finditer(text, pos, endpos), 1):
                if number == most:
                    break

    def _once(
        self,
        count: Callable[[Matcher], Match | None],
        read: Callable[[str, int, int], re.Match[str] | None],
        text: str,
        pos: int,
        endpos: int,
    ) -> re.Match[str] | None:
        if not self._counter.is_counting:
            return read(text, pos, endpos)
        counted = self._counted(count)  # first, for it gives up where `re` would not
        found = read(text, pos, endpos)
        self._compare(counted, found)
        return found

    def _counted(self, count: Callable[[Matcher], Match | None]) -> Match | None:
        self._counter.pause()
        if self._made is None:
            self._made = Matcher(self._real.pattern, self._real.flags)
        self._made.steps = self._counter.steps
        found = count(self._made)
        self._counter.resume()
        return found

    def _compare(self, counted: Match | None, found: re.Match[str] | None) -> None:
        if counted != (found.span() if found else None):
            raise Disagreement(f"{self._real.pattern[:500]!r}: {counted} instead of {found}")


def count_patterns(counter: Counter) -> None:
    """From now on every pattern that a module of ours compiles is one that counts."""
    compiled = re._compile  # type: ignore[attr-defined]
    known: dict[int, CountedPattern] = {}

    def compile(pattern: Any, flags: int) -> Any:
        if isinstance(pattern, CountedPattern):
            return pattern
        real = compiled(pattern, flags)
        who = sys._getframe(2).f_code.co_filename
        if not isinstance(real.pattern, str) or not who.startswith(OURS) or who.startswith(HERE):
            return real
        if id(real) not in known:
            known[id(real)] = CountedPattern(real, counter)
        return known[id(real)]

    re._compile = compile  # type: ignore[attr-defined]
