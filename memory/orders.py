"""Finds explicit orders to remember and to forget in a user's own words. The program decides this, never a model.

The words of nine languages are data in `order_words`. Here is what they have in common: which sentences are the user's
own, and which rules make an order of one. Everything is linear in the length of the message.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memory.order_words import SPEECHES, Speech
from memory.retrieval.languages import fold

ALIKE = {"،": ",", "、": ",", "؛": ";", "’": "'", "‘": "'", "ँ": "ं", "ـ": ""}
LETTER = r"\w\u0900-\u0963\u0970-\u097f"  # the vowel signs of Devanagari are no \w, but belong to their words
EDGE = rf"(?:(?<![{LETTER}])(?=[{LETTER}])|(?<=[{LETTER}])(?![{LETTER}]))"
MOST_OPENERS = 12
LONGEST_READ = 20_000  # what is longer was pasted; nobody gives orders that far down
TAIL = 60  # characters in which words that end an order are looked for

SHORTEST_SENTENCE = len("记住我姓")
QUESTION_MARKS = ("?", "？", "؟")
MARKS_AT_END = " \t\n\r\u2028\u2029.!?…。！？؟।॥｡,;:،、"
CLOSERS = "”’»›」』》\"')）"
ENDERS = re.compile(
    rf"(?<![.!?…])[.!?…]++[{CLOSERS}]*+(?=\s+(?P<next>\S)|\s*$)|[。！？؟।॥｡]++[{CLOSERS}]*+"
    r"|(?<![!?])[!?]++(?=[\u3400-\u9fff])|[\n\r\u2028\u2029]"
)
# A full stop after these does not end a sentence, and neither does one between a day and its German month.
ABBREVIATION = re.compile(
    rf"(?<![{LETTER}])(?:[^\W\d_]|dr|mr|mrs|ms|prof|st|no|vs|jr|sr|mt|inc|ltd|co|approx|dept|est|min|max|tel|ext|"
    r"sra|dra|ud|uds|ee|uu|nr|str|hr|fr|ca|bzw|usw|mme|av|bd|ул|кв|им|тел|руб|тыс|млн|стр|др|пр|обл|डॉ|श्री)$",
    re.IGNORECASE,
)
COUNTED = re.compile(r"\s+(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Stock|Etage|Klasse|Geburtstag)")
CLOSED_BY = dict(pair.split(maxsplit=1) for pair in ("“ ”", "„ “”", "« »", "» «»", "‹ ›", "› ‹›", "「 」", "『 』"))
CLOSED_BY |= dict(pair.split(maxsplit=1) for pair in ("《 》", "” ”“", '" "', "` `", "' '", "‘ ’", "‚ ‘’"))
# Neither an apostrophe nor the inches of 55" quote anything.
MARKS = re.compile(r"""[“„«‹「『《”»›」』》`‘‚]|’(?!\w)|(?P<inch>(?<=\d)")|"|(?<!\w)'(?=\w)|(?P<shut>(?<=\S)'(?!\w))""")
QUOTED_LINE = (">", "＞", "&gt;")
ANNOUNCES = re.compile(r":\s|：")
LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")
ASKING_THAT = re.compile("[éê]|e[\u0301\u0302]", re.IGNORECASE)  # "que" is that, "qué" and "quê" are what


@dataclass(frozen=True, slots=True)
class Order:
    """The words that the user ordered to be kept or forgotten, and where they stand in the message."""

    words: str
    span: tuple[int, int]


def find_orders(message: str) -> list[Order]:
    """Orders to remember, one a sentence at most; a question, a quotation and "don't remember" are none."""
    return [order for order, kept in _orders(message) if kept]


def find_forget_orders(message: str) -> list[Order]:
    """Orders to forget, one a sentence at most; the words are what is to be forgotten. No question is one."""
    return [order for order, kept in _orders(message) if not kept]


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


def pattern(source: str) -> str:
    """A pattern of the data as it looks after folding: a space is any space, a word ends where its vowels end."""
    parts = re.findall(r"\\.|[^\\]+", source)
    same = "".join(part if part[0] == "\\" else folded(part)[0] for part in parts)
    return same.replace(r"\b", EDGE).replace(" ", r"\s+")


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


class _Rules:
    """One language, ready to be matched with folded text."""

    def __init__(self, speech: Speech) -> None:
        gap, sep, edge, no_letter = r"[\s:,]*", r"[\s,]*", "", ""
        if speech.spaced:
            gap, sep, edge, no_letter = r"(?:\s*[:,]\s*|\s+)", r"(?:\s*,\s*|\s+)", EDGE, rf"(?![{LETTER}])"
        data = {name: rf"(?:{pattern(getattr(speech, name))})" for name in Speech.__slots__ if name != "spaced"}
        please = rf"(?:{sep}{data['please']}{edge})?"
        that = rf"(?:{sep}{data['that']}\s*[:,]?\s*|\s*:\s*)"
        bridge = rf"{please}(?:(?P<that>{that})|{gap})(?P<words>.+)"
        verbs = (
            rf"(?:(?P<asked>{data['asked']}{edge}(?={please}{that}))|(?P<bare>{data['remember']}{edge})"
            rf"|(?P<strict>{data['remember_that']}{edge})|(?P<first>{data['explain']}{edge}))"
        )
        whole = rf"{data['now_on']}{edge}{gap}(?P<now_on>.+)|(?P<always>{data['always']}{edge}.{'+' if edge else '*'})"
        self.order = re.compile(rf"{verbs}{bridge}|{whole}", re.DOTALL)
        self.last = re.compile(rf"{data['last']}$", re.DOTALL)
        about = rf"{please}(?:(?P<that>{that})|(?P<about>{sep}{data['about']}{edge}\s*)|{gap})(?P<words>.+)"
        forget = rf"(?:(?P<bare>{data['forget']}{edge})|(?P<strict>{data['forget_that']}{edge})){about}"
        self.forget = re.compile(forget, re.DOTALL)
        self.forget_last = re.compile(rf"{data['forget_last']}$", re.DOTALL)
        self.not_after = re.compile(data["not_after"] + no_letter)
        self.not_forgotten = re.compile(data["not_forgotten"] + no_letter)
        self.not_last = re.compile(rf"{edge}{data['not_last']}$")
        self.asks = re.compile(rf"{edge}{data['asks']}$")


def _any(name: str) -> tuple[str, str]:
    """What all languages say for one thing, first of those that part words, then of those that do not."""
    parts = [(speech.spaced, pattern(getattr(speech, name))) for speech in SPEECHES]
    return "|".join(part for spaced, part in parts if spaced), "|".join(part for spaced, part in parts if not spaced)


RULES = tuple(_Rules(speech) for speech in SPEECHES)
# These count in every language: a verb that two share must not hide the words that take it back.
SPACED, UNSPACED = _any("openers")
LEAD = re.compile(rf"[¡\s]*(?:(?:{SPACED})(?:[,!.]\s*|\s+)|(?:{UNSPACED})[,!.]?\s*){{0,{MOST_OPENERS}}}+")
SPACED, UNSPACED = _any("taken_back")
TAKEN_BACK = re.compile(rf"{EDGE}(?:{SPACED})|{UNSPACED}")
SPACED, UNSPACED = _any("said")
SAID = re.compile(
    rf",\s*(?:[{LETTER}'-]+\s+){{0,4}}(?:{SPACED})(?:\s+[{LETTER}]+){{0,3}}$|,[^,]{{0,8}}(?:{UNSPACED})[^,]{{0,3}}$"
)
SAYS = re.compile(rf"{EDGE}(?:{SPACED}){EDGE}|{UNSPACED}")
POLITELY = re.compile(r"\s*,\s*(?:{}|{})$".format(*_any("please")))
# "Forget pizza, I want sushi" and "forget your keys and you wait" forget nothing.
GOES_ON = re.compile(rf"[,;–—]|[.!?]\s|\s-\s|{EDGE}(?:and|or|but|und|y|et|e|и){EDGE}")


@dataclass(frozen=True, slots=True)
class _Sentence:
    said: str
    text: str
    places: list[int]
    at: int
    is_first: bool

    @property
    def asks(self) -> bool:
        return asks(self.said)


def _orders(message: str) -> list[tuple[Order, bool]]:
    """Every order of the user's own, and whether it is to keep: none of what is quoted or announced by a colon."""
    orders = []
    message = message[:LONGEST_READ]
    quotations = _quotations(message)[::-1]
    ended, line_is_quoted, line_is_theirs, block_is_theirs, announced = 0, False, False, False, False
    for number, (start, end) in enumerate(sentences(message)):
        said = message[start:end].rstrip()
        lines = len(LINE_END.findall(message, ended, start))
        if lines or number == 0:
            line_is_quoted, line_is_theirs = said.startswith(QUOTED_LINE), False
            block_is_theirs = block_is_theirs and (lines == 1 or announced)
        while quotations and quotations[-1][1] <= start:
            quotations.pop()
        is_quoted = line_is_quoted or bool(quotations and quotations[-1][0] < start)
        order = None
        if len(said) >= SHORTEST_SENTENCE and not (is_quoted or line_is_theirs or block_is_theirs):
            order = _order_in(said, start, is_first=number == 0)
        if order:
            orders.append(order)
        announced = said.endswith((":", "："))
        block_is_theirs = block_is_theirs or (announced and not order)
        line_is_theirs = line_is_theirs or (not order and bool(ANNOUNCES.search(said)))
        ended = start + len(said)
    return orders


def _order_in(said: str, start: int, *, is_first: bool) -> tuple[Order, bool] | None:
    text, places = folded(said)
    text = text.rstrip(MARKS_AT_END)
    lead = LEAD.match(text)
    sentence = _Sentence(said, text, places, lead.end() if lead else 0, is_first)
    for rules in RULES:
        for span, kept in ((_kept(sentence, rules), True), (_forgotten(sentence, rules), False)):
            order = span and _cut(sentence, start, *span)
            if order:
                return order, kept
    return None


def _kept(sentence: _Sentence, rules: _Rules) -> tuple[int, int] | None:
    text = sentence.text
    found = rules.order.match(text, sentence.at)
    if found is None:
        last = rules.last.match(text, sentence.at)
        if last is None or sentence.asks or SAYS.search(last[1]):  # with the verb at the end, it may be his who said it
            return None
        return None if rules.not_last.search(last[1]) or rules.not_after.match(last[1]) else last.span(1)
    start, end = next(found.span(name) for name in ("words", "now_on", "always") if found[name] is not None)
    words = text[start:end]
    if (sentence.asks and not found["asked"]) or TAKEN_BACK.search(words) or rules.asks.search(words[-TAIL:]):
        return None
    if (found["first"] and not sentence.is_first) or _asks_what(sentence, found):
        return None
    if found["that"] is None and found["words"] is not None:
        needs_that = found["bare"] is None
        if needs_that or rules.not_after.match(words) or rules.not_last.search(words[-TAIL:]):
            return None
    return start, end


def _forgotten(sentence: _Sentence, rules: _Rules) -> tuple[int, int] | None:
    if sentence.asks:
        return None
    found = rules.forget.match(sentence.text, sentence.at)
    if found is None:
        last = rules.forget_last.match(sentence.text, sentence.at)
        if last is None or last.lastindex is None or SAYS.search(last[last.lastindex]):
            return None
        return None if rules.not_forgotten.match(last[last.lastindex]) else last.span(last.lastindex)
    words, that = found["words"], found["that"]
    never_mind = rules.not_forgotten.fullmatch if that else rules.not_forgotten.match
    if never_mind(words) or rules.asks.search(words[-TAIL:]) or _asks_what(sentence, found):
        return None
    if that is None and (GOES_ON.search(words) or (found["strict"] and not found["about"])):
        return None
    return None if that and that.rstrip().endswith(",") else found.span("words")


def _asks_what(sentence: _Sentence, found: re.Match[str]) -> bool:
    first, last = found.span("that")
    return first >= 0 and bool(ASKING_THAT.search(sentence.said, sentence.places[first], sentence.places[last]))


def _cut(sentence: _Sentence, start: int, first: int, last: int) -> Order | None:
    """The fact itself, in the user's own letters: without politeness and marks at its end."""
    tail = max(first, last - TAIL)
    if SAID.search(sentence.text, tail, last):
        return None
    polite = POLITELY.search(sentence.text, tail, last)
    first, last = sentence.places[first], sentence.places[polite.start() if polite else last]
    words = sentence.said[first:last].rstrip().rstrip(MARKS_AT_END)
    first += len(words) - len(words.lstrip())
    words = words.strip()
    if not any(char.isalnum() or unicodedata.category(char) == "So" for char in words):  # a 🎉 says something
        return None
    return Order(words, (start + first, start + first + len(words)))


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
    is_date = before[-1:].isdecimal() and COUNTED.match(message, ender.end())
    return bool(is_date or ABBREVIATION.search(before))
