"""The grammar of dates: finds sequences of parts that form a date. `dates.py` resolves them.

"on Friday, 5 June" is the parts `pW,dM`; the rule "day" matches `W,dM`.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memory.language.sentences import fold_with_positions
from memory.language.time.date_parts import SINCE, DatePart, Meaning, parse_parts

# Dates as sequences of parts, longest first. The letters are defined in date_parts.py.
COUNT: Final = "(?<![-,])(?:[dn]|[cs]{1,2}|[aj])"
UNIT: Final = "[Uuyqj]"
MONTH: Final = "(?:[Mms]|b\\.?)"
DAY: Final = "[dOo]"
WEEKDAY: Final = "(?:W[,f]?)?"
GRAMMAR: Final = re.compile(
    "|".join(
        f"(?P<{name}>{pattern})"
        for name, pattern in (
            ("every", "E[aw=<]?[WU]|W[kpia-]W"),
            ("full", f"{WEEKDAY}F"),
            ("day", f"(?:Yy|Z)?[dc]q[dc]r?|{WEEKDAY}f?(?:{DAY}f{{0,2}}{MONTH}|d\\.[Mb])(?:[,f]?Y[yr]?|\\.Y)?"),
            ("month_first", f"{WEEKDAY}(?<!i){MONTH}f?{DAY}(?!\\.[dn]|{UNIT})(?:,?Y)?"),
            ("dotted", "(?<=[pW])G|^G"),
            ("span", f"(?:Yy|Z)[dc]q|{MONTH}[,f]?Yy?|K"),
            ("weekday_of_week", "(?<!E)(?:W[pif]{0,2}[<=][Uu]|Wf{0,2}U[>=]|[<=]U[pif,]?W|U[>=][pif,]{0,2}W)"),
            ("day_of_month", "(?<!E)Wf?[dO](?![tp])|(?<=[pf])O(?=[.,!p-]|$)"),
            ("weekday", "[<=][Ww]|[Ww][>=]|(?<![Eacj])W(?![nd]q)|(?<=[pi])w"),
            ("modified_month", f"{MONTH}f?(?:[<=][Uy]|U[>=])|[<=][Uy][pi]{MONTH}|[<=]{MONTH}|{MONTH}[>=]"),
            ("unit", "[<=][Uuyq](?!f|[dO])|[Uuj][>=]"),
            ("ahead", f"[Ii]{COUNT}{UNIT}|{COUNT}{UNIT}[Rh]|I[uyV]|[uV]R"),
            ("back", f"B{COUNT}{UNIT}|{COUNT}{UNIT}A|B[uV]|[uy]A"),
            ("fixed", "[SHZ]"),
            ("month", f"(?<=[pi]){MONTH}|(?<=[pi]f){MONTH}|Mh|(?<![dcn])[dc]q"),
            ("year", "(?<=[pif])Yy?|Yy|Yh|Y(?=[.,!-]|$)"),
        )
    )
)


class DateMatch(NamedTuple):
    """A match of a grammar rule: its parts, their position, and whether the sentence is in the past."""

    rule: str
    parts: list[DatePart]
    span: tuple[int, int]
    past: bool

    def take(self, letters: str) -> list[Meaning]:
        return [part.meaning for part in self.parts if part.meaning.part in letters]

    def first(self, letters: str, default: int = 0) -> int:
        return next((meaning.number for meaning in self.take(letters)), default)


def find_matches(text: str) -> Iterator[DateMatch]:
    folded, places = fold_with_positions(text)
    parts = parse_parts(folded)
    letters = "".join(part.meaning.part for part in parts)
    runs = re.findall("[^.!]+|[.!]", letters)  # sentences and their ends
    past = [is_past for run in runs for is_past in ["z" in run and "v" not in run] * len(run)]
    for match in GRAMMAR.finditer(re.sub("[zv]", "x", letters)):
        taken = parts[match.start() : match.end()]
        since = match.start() > 0 and parts[match.start() - 1].meaning == SINCE
        span = places[taken[0].start], places[taken[-1].end - 1] + 1
        if match.lastgroup and match.lastgroup != "every" and not _is_doubtful(match, text[slice(*span)]):
            yield DateMatch(match.lastgroup, taken, span, past[match.start()] or past[match.end() - 1] or since)


def _is_doubtful(match: re.Match[str], words: str) -> bool:
    """Return whether "may" or "march" next to a number is probably not a month: "12 may come", unlike "on may 3".

    A capital makes it a month unless it begins a sentence.
    """
    if match.lastgroup not in ("day", "month_first") or not re.fullmatch("[do]?m[do]?", match[0]):
        return False
    before, after = match.string[max(match.start() - 1, 0) : match.start()], match.string[match.end() : match.end() + 1]
    is_name = any(sign.isupper() for sign in words) and (before not in ("", ".", "!") or match[0][-1] == "m")
    return not is_name and before not in ("p", "f") and after == "x"
