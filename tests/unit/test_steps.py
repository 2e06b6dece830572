"""The counter of steps itself: its matcher agrees with `re`, and it tells a square from a line."""

import re

import pytest

from tests.known_growth import IN_PROPORTION, OUT_OF_PROPORTION
from tests.steps.cost import costs
from tests.steps.matcher import Match, Matcher, Steps

PATTERNS = r"""
a*b  (a+)+b  \s+$  [a-z]+  [^ab]  \d+|\W  x*  (?:a|ab)(?:c|bcd)(d*)  (a*)*  (?:a?){3}b  (?:a*b?)*c  (?:)*a
(a|b)*?c  a{2,3}?b  (?:a|a?b)+?c  ((?:ab?)*?b)+  (?:a??b)*  (?s).*?b  .*b  (?:(?:a|b)+c?)+d
(?i)straße|ſ|K  (?i)[k-s]+  (?i)É+  (?i:A)b  (?a:\w)+  (?-i:a)B|(?i:a)b
(\w)\1  (?i)(\w)\1  (?P<x>a+)b(?P=x)  (a)?(?(1)b|c)  (?:(a)|(b)\2?)+c?  (?:(a)|b)*
(?=a.*b)\w  (?!ab)\w+  (?<=ab)c|(?<!a)b  (a(?=b)|b(?<=ab))+  (?!)|a
(?>a+)ab|a+b  a*+b  (?:ab|a)*+c  (?:a|ab){2}+  (?:a|b?)++c
^a|b$  (?m)^\w+$  \bab\b  \B  \Aa|b\Z  (?:\b|a)+b
""".split()
LETTERS = "abcd A\nK\u212aé1ſß"


def texts() -> list[str]:
    few = ["".join((one, other, third)) for one in " abc" for other in "abcd" for third in "ab\n"]
    pieces = [LETTERS[at % 13 :: step] + LETTERS[: at % 7] for at in range(26) for step in (1, 2, 3)]
    return ["", "a", *few, *pieces, "aab" * 5, "abab abcd", "STRASSE straße", "aaaaab", "caabbc"]


def span(found: re.Match[str] | None) -> Match | None:
    return found.span() if found else None


def all_of(matcher: Matcher, text: str) -> list[Match]:
    found: list[Match] = []
    while True:
        begin, not_empty = (found[-1][1], found[-1][0] == found[-1][1]) if found else (0, False)
        match = matcher.search(text, begin, not_empty=not_empty)
        if match is None:
            return found
        found.append(match)


def test_the_matcher_finds_what_re_finds() -> None:
    disagreements = []
    for pattern in PATTERNS:
        real, matcher = re.compile(pattern), Matcher(pattern)
        matcher.steps = Steps(10**9)
        disagreements += [
            (pattern, text)
            for text in texts()
            if all_of(matcher, text) != [found.span() for found in real.finditer(text)]
            or matcher.search(text, 1, 5) != span(real.search(text, 1, 5))
            or matcher.match(text, 1) != span(real.match(text, 1))
            or matcher.match(text, whole=True) != span(real.fullmatch(text))
        ]

    assert disagreements == []


@pytest.mark.slow
def test_whatever_grows_out_of_proportion_is_found_and_nothing_else() -> None:
    found = {cost.reads: bool(cost.misses) for cost in costs("tests.known_growth")}

    assert found == {
        **{known.reads.__name__: True for known in OUT_OF_PROPORTION},
        **{known.reads.__name__: False for known in IN_PROPORTION},
    }
