"""Cuts a message into sentences and tells which of them are the writer's own, not quoted, announced or passed on.

Everything is linear in the length of the message, of which only the beginning is read.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.sentences import SentenceWords
from memory.language.terms import fold

ALIKE = {"،": ",", "、": ",", "؛": ";", "’": "'", "‘": "'", "ँ": "ं", "\u0640": ""}
LETTER = r"\w\u0900-\u0963\u0970-\u097f"  # the vowel signs of Devanagari are no \w, but belong to their words
EDGE = rf"(?:(?<![{LETTER}])(?=[{LETTER}])|(?<=[{LETTER}])(?![{LETTER}]))"
LONGEST_READ = 20_000  # what is longer was pasted; nobody gives orders that far down
HEAD = 60  # characters in which a header shows itself
SHORTEST_SENTENCE = 4  # "记住我姓" orders something
QUESTION_MARKS = ("?", "？", "؟")
MARKS_AT_END = " \t\n\r\u2028\u2029.!?…。！？؟।॥｡,;:،、"
CLOSERS = "”’»›」』》\"')）"
ENDERS = re.compile(
    rf"(?<![.!?…])[.!?…]++[{CLOSERS}]*+(?=\s+(?P<next>\S)|\s*$)|[。！？؟।॥｡]++[{CLOSERS}]*+"
    r"|(?<![!?])[!?]++(?=[\u3400-\u9fff])|[\n\r\u2028\u2029]"
)
CLOSED_BY = dict(pair.split(maxsplit=1) for pair in ("“ ”", "„ “”", "« »", "» «»", "‹ ›", "› ‹›", "「 」", "『 』"))
CLOSED_BY |= dict(pair.split(maxsplit=1) for pair in ("《 》", "” ”“", '" "', "` `", "' '", "‘ ’", "‚ ‘’"))
# Neither an apostrophe nor the inches of 55" quote anything.
MARKS = re.compile(r"""[“„«‹「『《”»›」』》`‘‚]|’(?!\w)|(?P<inch>(?<=\d)")|"|(?<!\w)'(?=\w)|(?P<shut>(?<=\S)'(?!\w))""")
# Marks of a block that is not the writer's, and stamps of a chat log.
BLOCK = r"-{3,}|~~~|<blockquote"
STAMP = (
    r"[^\n]{0,40}[\[(]\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}[:.]\d\d(?::\d\d)?[\])]:?$|"
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)? ?-"
)
QUOTED_LINE = (">", "＞", "&gt;")
ANNOUNCES = re.compile(r":\s|：")
LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")


@derived
def _foreign() -> re.Pattern[str]:
    """Headers of what was passed on, and marks of a block that is not the writer's."""
    forwarded, headers = _any(lambda each: each.forwarded), _any(lambda each: each.headers)
    return re.compile(rf"{BLOCK}|{folded(forwarded)[0]}|(?:{folded(headers)[0]})\s?[:：]\s|{STAMP}")


@derived
def _task() -> re.Pattern[str]:
    """A task that is about the text that follows: "Translate into German."."""
    before, task = _any(lambda each: each.before_task), _any(lambda each: each.task)
    return re.compile(rf"(?:{folded(before)[0]})?(?:{folded(task)[0]})")


@derived
def _abbreviation() -> re.Pattern[str]:
    """A full stop after these, or after a single letter, does not end a sentence."""
    short = _any(lambda each: "|".join(map(re.escape, each.abbreviations)) or NEVER)
    return re.compile(rf"(?<![{LETTER}])(?:[^\W\d_]|{short})$", re.IGNORECASE)


@derived
def _after_ordinal() -> re.Pattern[str]:
    """Neither does one between a day and its German month."""
    return re.compile(rf"\s+(?:{_any(lambda each: each.after_ordinal)})")


def _any(words: Callable[[SentenceWords], str]) -> str:
    return "|".join(words(language.sentences) for language in languages().values())


def sentences(message: str) -> list[tuple[int, int]]:
    """Where sentences start and end, white space in front left out."""
    last = len(message.rstrip())
    ends = [found.end() for found in ENDERS.finditer(message) if not _goes_on(message, found, last)]
    bounds = []
    for start, end in zip([0, *ends], [*ends, len(message)], strict=True):
        part = message[start:end]
        if part.strip():
            bounds.append((start + len(part) - len(part.lstrip()), end))
    return bounds


def asks(sentence: str) -> bool:
    return sentence.rstrip(" \t\n\r!.…").endswith(QUESTION_MARKS)


def folded(text: str) -> tuple[str, list[int]]:
    """A text without case, accents, vowel signs and invisible characters, and where each character of it stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        same = _same(char)
        letters.append(same)
        places += [place] * len(same)
    return "".join(letters), [*places, len(text)]


@lru_cache(maxsize=4096)
def _same(char: str) -> str:
    if char in ALIKE:
        return ALIKE[char]
    return "" if unicodedata.category(char) == "Cf" else fold(char)


def own_sentences(message: str, is_order: Callable[[str, bool], bool]) -> list[tuple[int, int]]:
    """Where the writer speaks for themselves. After an announcement, a header of something forwarded or a task that is
    about a text, the rest of the message is somebody else's."""
    read = message[:LONGEST_READ]
    found = []
    quotations = _quotations(read)[::-1]
    ended, line_is_quoted, line_is_theirs = 0, False, False
    for number, (start, end) in enumerate(sentences(read)):
        if end == len(read) < len(message):
            break  # cut in the middle
        said = read[start:end].rstrip()
        if _foreign().match(folded(said[:HEAD])[0]):
            break
        lines = len(LINE_END.findall(read, ended, start))
        if lines or number == 0:
            line_is_quoted = said.startswith(QUOTED_LINE) or (line_is_quoted and lines == 1)
            line_is_theirs = False
        while quotations and quotations[-1][1] <= start:
            quotations.pop()
        is_quoted = line_is_quoted or bool(quotations and quotations[-1][0] < start)
        if len(said) >= SHORTEST_SENTENCE and not (is_quoted or line_is_theirs):
            found.append((start, end))
        ordered = bool(found) and found[-1] == (start, end) and is_order(said, number == 0)
        if not ordered:
            if said.endswith((":", "：")) or _task().match(folded(said[:HEAD])[0]):
                break
            line_is_theirs = line_is_theirs or bool(ANNOUNCES.search(said))
        ended = start + len(said)
    return found


def without_quotations(message: str) -> str:
    """The message, as long as before, with blanks where somebody else speaks."""
    parts, done = [], 0
    for start, end in _quotations(message):
        parts += [message[done:start], " " * (end - start)]
        done = end
    return "".join(parts) + message[done:]


def _quotations(message: str) -> list[tuple[int, int]]:
    """From where to where somebody else speaks, or code does; a mark that is never closed quotes all that follows."""
    marks = list(MARKS.finditer(message))
    last_shut = {"'": max((mark.start() for mark in marks if mark["shut"]), default=-1), "‘": message.rfind("’")}
    opened: list[re.Match[str]] = []
    spans, end = [], len(message)
    for mark in marks:
        if opened and mark[0] in CLOSED_BY[opened[-1][0]] and (mark["shut"] or mark[0] != "'"):
            first = opened.pop().start()
            if not opened:
                spans.append((first, mark.end()))
        elif mark[0] in CLOSED_BY and not (mark["inch"] or mark["shut"]) and mark.start() < last_shut.get(mark[0], end):
            opened.append(mark)
    return [*spans, (opened[0].start(), end)] if opened else spans


def _goes_on(message: str, ender: re.Match[str], last: int) -> bool:
    """Whether this is no end: a small letter follows, or it is the dot of an abbreviation or of a German date."""
    following = ender["next"]
    if following and (following.islower() or following.isdecimal()):
        return True
    if ender[0] != "." or ender.end() >= last:
        return False
    before = message[max(0, ender.start() - 10) : ender.start()]
    if before[-1:] in (" ", "\n", ""):
        return False
    is_date = before[-1:].isdecimal() and _after_ordinal().match(message, ender.end())
    return bool(is_date or _abbreviation().search(before))
