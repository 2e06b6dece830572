"""Splits a message into sentences and finds those that are the writer's own, not quoted or forwarded.

Everything is linear in the length of the message, and only its beginning is read.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.sentences import SentenceWords
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import fold

EQUIVALENT = {"،": ",", "、": ",", "؛": ";", "’": "'", "‘": "'", "ँ": "ं", "\u0640": ""}
LETTER = r"\w\u0900-\u0963\u0970-\u097f"  # the vowel signs of Devanagari are not \w, but belong to their words
EDGE = rf"(?:(?<![{LETTER}])(?=[{LETTER}])|(?<=[{LETTER}])(?![{LETTER}]))"
MAX_READ = 20_000  # a longer text was pasted and has no orders that far down
HEAD = 60  # characters at the beginning of a line that are checked for a header
MIN_SENTENCE_LENGTH = 4  # "记住我姓" is an order
QUESTION_MARKS = ("?", "？", "؟")
MARKS_AT_END = " \t\n\r\u2028\u2029.!?…。！？؟।॥｡,;:،、"
CLOSERS = "”’»›」』》\"')）"
ENDERS = re.compile(
    rf"(?<![.!?…])[.!?…]++[{CLOSERS}]*+(?=\s+(?P<next>\S)|\s*$)|[。！？؟।॥｡]++[{CLOSERS}]*+"
    r"|(?<![!?])[!?]++(?=[\u3400-\u9fff])|[\n\r\u2028\u2029]"
)
CLOSED_BY = dict(pair.split(maxsplit=1) for pair in ("“ ”", "„ “”", "« »", "» «»", "‹ ›", "› ‹›", "「 」", "『 』"))
CLOSED_BY |= dict(pair.split(maxsplit=1) for pair in ("《 》", "” ”“", '" "', "` `", "' '", "‘ ’", "‚ ‘’"))
# An apostrophe and the inches of 55" are no quotation marks.
MARKS = re.compile(r"""[“„«‹「『《”»›」』》`‘‚]|’(?!\w)|(?P<inch>(?<=\d)")|"|(?<!\w)'(?=\w)|(?P<shut>(?<=\S)'(?!\w))""")
# Marks of quoted blocks, and timestamps of chat logs.
BLOCK = r"-{3,}|~~~|<blockquote"
STAMP = (
    r"[^\n]{0,40}[\[(]\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}[:.]\d\d(?::\d\d)?[\])]:?$|"
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)? ?-"
)
QUOTED_LINE = (">", "＞", "&gt;")
COLON = re.compile(r":\s|：")
LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")


@lexicon_cached
def _forwarded_or_block() -> re.Pattern[str]:
    """Headers of forwarded text, and marks of quoted blocks."""
    forwarded, headers = _any(lambda section: section.forwarded), _any(lambda section: section.headers)
    return re.compile(
        rf"{BLOCK}|{fold_with_positions(forwarded)[0]}|(?:{fold_with_positions(headers)[0]})\s?[:：]\s|{STAMP}"
    )


@lexicon_cached
def _task() -> re.Pattern[str]:
    """A task about the text that follows: "Translate into German."."""
    before, task = _any(lambda section: section.before_task), _any(lambda section: section.task)
    return re.compile(rf"(?:{fold_with_positions(before)[0]})?(?:{fold_with_positions(task)[0]})")


@lexicon_cached
def _abbreviation() -> re.Pattern[str]:
    """A pattern for the text before a full stop within a sentence: an abbreviation or a single letter."""
    abbreviations = _any(lambda section: "|".join(map(re.escape, section.abbreviations)) or NEVER)
    return re.compile(rf"(?<![{LETTER}])(?:[^\W\d_]|{abbreviations})$", re.IGNORECASE)


@lexicon_cached
def _after_ordinal() -> re.Pattern[str]:
    """A pattern for the text after an ordinal with a full stop, such as a German month after a day."""
    return re.compile(rf"\s+(?:{_any(lambda section: section.after_ordinal)})")


def _any(words: Callable[[SentenceWords], str]) -> str:
    return "|".join(words(language.sentences) for language in languages().values())


def sentence_bounds(message: str) -> list[tuple[int, int]]:
    """The start and end of each sentence, without leading white space."""
    last = len(message.rstrip())
    ends = [found.end() for found in ENDERS.finditer(message) if not _continues(message, found, last)]
    bounds = []
    for start, end in zip([0, *ends], [*ends, len(message)], strict=True):
        part = message[start:end]
        if part.strip():
            bounds.append((start + len(part) - len(part.lstrip()), end))
    return bounds


def is_question(sentence: str) -> bool:
    return sentence.rstrip(" \t\n\r!.…").endswith(QUESTION_MARKS)


def fold_with_positions(text: str) -> tuple[str, list[int]]:
    """Fold a text and drop invisible characters. Return it with the original position of each character."""
    characters: list[str] = []
    positions: list[int] = []
    for position, character in enumerate(text):
        folded = _fold_character(character)
        characters.append(folded)
        positions += [position] * len(folded)
    return "".join(characters), [*positions, len(text)]


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if character in EQUIVALENT:
        return EQUIVALENT[character]
    return "" if unicodedata.category(character) == "Cf" else fold(character)


def own_sentences(message: str, is_order: Callable[[str, bool], bool]) -> list[tuple[int, int]]:
    """Return the bounds of the writer's own sentences.

    After a colon at the end of a sentence, a header of forwarded text, or a task about a text, the rest of the message
    is not the writer's. `is_order` gets a sentence and whether it is the first. A colon in an order ends nothing.
    """
    read = message[:MAX_READ]
    found = []
    quotations = _quotations(read)[::-1]
    ended, line_is_quoted, line_is_announced = 0, False, False
    for number, (start, end) in enumerate(sentence_bounds(read)):
        if end == len(read) < len(message):
            break  # cut in the middle
        sentence = read[start:end].rstrip()
        if _forwarded_or_block().match(fold_with_positions(sentence[:HEAD])[0]):
            break
        lines = len(LINE_END.findall(read, ended, start))
        if lines or number == 0:
            line_is_quoted = sentence.startswith(QUOTED_LINE) or (line_is_quoted and lines == 1)
            line_is_announced = False
        while quotations and quotations[-1][1] <= start:
            quotations.pop()
        is_quoted = line_is_quoted or bool(quotations and quotations[-1][0] < start)
        if len(sentence) >= MIN_SENTENCE_LENGTH and not (is_quoted or line_is_announced):
            found.append((start, end))
        ordered = bool(found) and found[-1] == (start, end) and is_order(sentence, number == 0)
        if not ordered:
            if sentence.endswith((":", "：")) or _task().match(fold_with_positions(sentence[:HEAD])[0]):
                break
            line_is_announced = line_is_announced or bool(COLON.search(sentence))
        ended = start + len(sentence)
    return found


def blank_quotations(message: str) -> str:
    """The message with quotations and code replaced by blanks of the same length."""
    parts, done = [], 0
    for start, end in _quotations(message):
        parts += [message[done:start], " " * (end - start)]
        done = end
    return "".join(parts) + message[done:]


def _quotations(message: str) -> list[tuple[int, int]]:
    """The spans of quotations and code. A quotation mark that is never closed extends to the end."""
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


def _continues(message: str, ender: re.Match[str], last: int) -> bool:
    """Return whether a sentence goes on: before a lower-case letter or digit, or after an abbreviation or ordinal."""
    next_character = ender["next"]
    if next_character and (next_character.islower() or next_character.isdecimal()):
        return True
    if ender[0] != "." or ender.end() >= last:
        return False
    before = message[max(0, ender.start() - 10) : ender.start()]
    if before[-1:] in (" ", "\n", ""):
        return False
    is_date = before[-1:].isdecimal() and _after_ordinal().match(message, ender.end())
    return bool(is_date or _abbreviation().search(before))
