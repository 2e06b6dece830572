"""A regular expression matcher that counts its steps. It backtracks as `re` does, whose C code has no counter.

It reads the tree that CPython's own parser makes of a pattern. Every sign that is compared, every alternative that is
tried and every round of a repeat is a step. Whether a sign matches is asked of `re`, which knows cases and categories.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.steps.signs import COMPILER, NAMES, PARSER, Alphabet, Signs, changed, compiled

Match = tuple[int, int]
Matches = Callable[[int], int]  # from where to where; NO if it does not match there

NO = -1


class TooManySteps(BaseException):
    """More than were allowed: whoever counts need not wait for the end. No code under test may catch it."""


class Steps:
    """How many are left."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    @property
    def taken(self) -> int:
        return self.most - self.left


class _Ways(dict[str, list[Matches]]):
    """Which alternatives can begin with a sign."""

    def __init__(self, alternatives: Iterable[tuple[Matches, list[Signs] | None]]) -> None:
        self._alternatives = list(alternatives)
        self.at_the_end = [way for way, firsts in self._alternatives if firsts is None]

    def __missing__(self, sign: str) -> list[Matches]:
        found = self[sign] = [
            way for way, firsts in self._alternatives if firsts is None or any(signs[sign] for signs in firsts)
        ]
        return found


class Matcher:
    """One pattern. `steps` is what it takes its steps from."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        tree = PARSER.parse(pattern, flags)
        self.steps = Steps(0)
        self._flags = tree.state.flags
        self._alphabet = Alphabet()
        self._text, self._end = "", 0
        self._marks = [NO] * (2 * tree.state.groups)
        self._whole_only, self._not_at = False, NO
        self._matches = self._sequence(tree, self._flags, self._done)
        firsts, is_empty = self._alphabet.firsts(tree, self._flags)
        self._starts = None if firsts is None or is_empty else _Ways([(self._matches, firsts)])

    def search(self, text: str, begin: int = 0, end: int | None = None, *, not_empty: bool = False) -> Match | None:
        """The first match; one that is `not_empty` may begin at `begin`, but not end there."""
        self._begin(text, begin if not_empty else NO, end)
        steps, starts = self.steps, self._starts
        for at in range(min(begin, len(text)), self._end + 1):
            steps.left -= 1
            if steps.left < 0:
                raise TooManySteps
            if starts is not None and (at == self._end or not starts[text[at]]):
                continue
            to = self._matches(at)
            if to != NO:
                return at, to
            self._not_at = NO
        return None

    def match(self, text: str, begin: int = 0, end: int | None = None, *, whole: bool = False) -> Match | None:
        self._begin(text, NO, end)
        self._whole_only, begin = whole, min(begin, len(text))
        to = self._matches(begin) if begin <= self._end else NO
        return None if to == NO else (begin, to)

    def _begin(self, text: str, not_at: int, end: int | None) -> None:
        self._text, self._end = text, len(text) if end is None else max(0, min(end, len(text)))
        self._marks[:] = [NO] * len(self._marks)
        self._whole_only, self._not_at = False, not_at

    def _done(self, at: int) -> int:
        return NO if at == self._not_at or (self._whole_only and at != self._end) else at

    # Each of these gives a function that matches one element, and then all that follows

    def _sequence(self, tree: Any, flags: int, then: Matches) -> Matches:
        elements = list(tree)
        while elements:
            run: list[Signs] = []
            while elements and elements[-1][0] in COMPILER._UNIT_CODES:
                op, av = elements.pop()
                run.insert(0, self._alphabet.of(op, av, flags))
            if run:
                then = self._run(run, then)
            if elements:
                op, av = elements.pop()
                then = self._element(op, av, flags, then)
        return then

    def _run(self, run: Sequence[Signs], then: Matches) -> Matches:
        def matches(at: int) -> int:
            text, end, steps = self._text, self._end, self.steps
            for signs in run:
                steps.left -= 1
                if at >= end or not signs[text[at]]:
                    return NO
                at += 1
            return then(at)

        return matches

    def _element(self, op: Any, av: Any, flags: int, then: Matches) -> Matches:
        if op is NAMES.AT:
            return self._place(compiled(op, av, flags), then)
        if op is NAMES.BRANCH:
            return self._branch(av[1], flags, then)
        if op is NAMES.SUBPATTERN:
            group, added, taken, inner = av
            return self._group(group, inner, changed(flags, added, taken), then)
        if op is NAMES.ATOMIC_GROUP:
            return self._atomic(self._sequence(av, flags, _arrived), then)
        if op in {NAMES.ASSERT, NAMES.ASSERT_NOT}:
            back = av[1].getwidth()[0] if av[0] < 0 else 0
            return self._look(self._sequence(av[1], flags, _arrived), back, op is NAMES.ASSERT, then)
        if op in PARSER._REPEATCODES:
            least, most, inner = av
            return self._repeat(op, least, most, inner, flags, then)
        if op is NAMES.GROUPREF:
            return self._again(av, flags, then)
        if op is NAMES.GROUPREF_EXISTS:
            group, one, other = av
            return self._if_found(group, *(self._sequence(way or [], flags, then) for way in (one, other)))
        if op is NAMES.FAILURE:
            return lambda at: NO
        raise NotImplementedError(op)

    def _place(self, place: re.Pattern[str], then: Matches) -> Matches:
        def matches(at: int) -> int:
            self.steps.left -= 1
            return then(at) if place.match(self._text, at, self._end) else NO

        return matches

    def _branch(self, alternatives: Any, flags: int, then: Matches) -> Matches:
        ways = []
        for alternative in alternatives:
            firsts, is_empty = self._alphabet.firsts(alternative, flags)
            ways.append((self._sequence(alternative, flags, then), None if is_empty else firsts))
        possible = _Ways(ways)

        def matches(at: int) -> int:
            steps = self.steps
            steps.left -= 1
            if steps.left < 0:
                raise TooManySteps
            for way in possible[self._text[at]] if at < self._end else possible.at_the_end:
                steps.left -= 1
                to = way(at)
                if to != NO:
                    return to
            return NO

        return matches

    def _group(self, group: int | None, inner: Any, flags: int, then: Matches) -> Matches:
        if group is None:
            return self._sequence(inner, flags, then)
        marks, first, last = self._marks, 2 * group, 2 * group + 1

        def leave(at: int) -> int:
            before, marks[last] = marks[last], at
            to = then(at)
            if to == NO:
                marks[last] = before
            return to

        body = self._sequence(inner, flags, leave)

        def enter(at: int) -> int:
            before, marks[first] = marks[first], at
            to = body(at)
            if to == NO:
                marks[first] = before
            return to

        return enter

    def _atomic(self, body: Matches, then: Matches) -> Matches:
        def matches(at: int) -> int:
            to = body(at)
            return NO if to == NO else then(to)

        return matches

    def _look(self, body: Matches, back: int, is_there: bool, then: Matches) -> Matches:
        def matches(at: int) -> int:
            self.steps.left -= 1
            found = at >= back and body(at - back) != NO
            return then(at) if found is is_there else NO

        return matches

    def _again(self, group: int, flags: int, then: Matches) -> Matches:
        def matches(at: int) -> int:
            first, last = self._marks[2 * group : 2 * group + 2]
            if first == NO or last < first or at + last - first > self._end:
                return NO
            self.steps.left -= last - first
            one, other = self._text[first:last], self._text[at : at + last - first]
            if flags & re.IGNORECASE:
                one, other = one.lower(), other.lower()
            return then(at + last - first) if one == other else NO

        return matches

    def _if_found(self, group: int, one: Matches, other: Matches) -> Matches:
        def matches(at: int) -> int:
            first, last = self._marks[2 * group : 2 * group + 2]
            return one(at) if NO not in (first, last) else other(at)

        return matches

    def _repeat(self, op: Any, least: int, most: Any, inner: Any, flags: int, then: Matches) -> Matches:
        most = None if most is NAMES.MAXREPEAT else int(most)
        if op is NAMES.POSSESSIVE_REPEAT:
            return self._all(self._sequence(inner, flags, _arrived), least, most, then)
        if len(inner) == 1 and inner[0][0] in COMPILER._UNIT_CODES:
            signs = self._alphabet.of(inner[0][0], inner[0][1], flags)
            return (self._many if op is NAMES.MAX_REPEAT else self._few)(signs, least, most, then)
        return self._rounds(inner, least, most, op is NAMES.MAX_REPEAT, flags, then)

    def _many(self, signs: Signs, least: int, most: int | None, then: Matches) -> Matches:
        """As many signs as there are, and then fewer and fewer."""

        def matches(at: int) -> int:
            text, steps = self._text, self.steps
            end = self._end if most is None else min(self._end, at + most)
            to = at
            while to < end and signs[text[to]]:
                to += 1
            steps.left -= 1 + to - at
            while to >= at + least:
                steps.left -= 1
                if steps.left < 0:
                    raise TooManySteps
                found = then(to)
                if found != NO:
                    return found
                to -= 1
            return NO

        return matches

    def _few(self, signs: Signs, least: int, most: int | None, then: Matches) -> Matches:
        """As few signs as are allowed, and then more and more."""

        def matches(at: int) -> int:
            text, steps, to = self._text, self.steps, at
            end = self._end if most is None else min(self._end, at + most)
            while True:
                steps.left -= 1
                if steps.left < 0:
                    raise TooManySteps
                if to - at >= least:
                    found = then(to)
                    if found != NO:
                        return found
                if to >= end or not signs[text[to]]:
                    return NO
                to += 1

        return matches

    def _all(self, body: Matches, least: int, most: int | None, then: Matches) -> Matches:
        """As many rounds as there are, and no other number."""

        def matches(at: int) -> int:
            done, steps = 0, self.steps
            while most is None or done < most:
                steps.left -= 1
                if steps.left < 0:
                    raise TooManySteps
                to = body(at)
                if to == NO or (to == at and done >= least):
                    break
                at, done = to, done + 1
            return then(at) if done >= least else NO

        return matches

    def _rounds(self, inner: Any, least: int, most: int | None, is_greedy: bool, flags: int, then: Matches) -> Matches:
        """Rounds of more than a sign each. Whoever finds no match leaves the count as it was found."""
        done, last = 0, NO

        def another(at: int) -> int:
            nonlocal done, last
            before = done, last
            done, last = done + 1, at
            to = body(at)
            if to == NO:
                done, last = before
            return to

        def on(at: int) -> int:
            nonlocal done, last
            steps = self.steps
            steps.left -= 1
            if steps.left < 0:
                raise TooManySteps
            if done < least:
                return another(at)
            may_go_on = (most is None or done < most) and at != last
            if is_greedy and may_go_on:
                to = another(at)
                if to != NO:
                    return to
            before = done, last
            to = then(at)
            done, last = before if to == NO else (done, last)
            if to == NO and not is_greedy and may_go_on:
                to = another(at)
            return to

        def enter(at: int) -> int:
            nonlocal done, last
            before = done, last
            done, last = 0, NO
            to = on(at)
            if to == NO:
                done, last = before
            return to

        body = self._sequence(inner, flags, on)
        return enter


def _arrived(at: int) -> int:
    return at
