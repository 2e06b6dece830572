"""Finds explicit orders to remember and to forget in a user's own words. The program decides this, never a model.

The words are data, `[orders]` of each language. Here is what all have in common: which sentences are the user's own,
and which rules make an order of one. Everything is linear in the length of the message.
"""

import re
import unicodedata
from dataclasses import dataclass

from memory.language.derived import derived
from memory.language.lexicon import Language, languages
from memory.language.lexicon.notation import NEVER
from memory.language.patterns import any_language, pattern, whole_words
from memory.language.sentences import (
    ANNOUNCES,
    EDGE,
    LETTER,
    MARKS_AT_END,
    asks,
    folded,
    own_sentences,
    without_quotations,
)

MOST_OPENERS = 12
TAIL = 60  # characters in which words that end an order are looked for


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


class _Rules:
    """One language, ready to be matched with folded text."""

    def __init__(self, language: Language) -> None:
        gap, sep, edge, no_letter = r"[\s:,]*", r"[\s,]*", "", ""
        if language.spaced:
            gap, sep, edge, no_letter = r"(?:\s*[:,]\s*|\s+)", r"(?:\s*,\s*|\s+)", EDGE, rf"(?![{LETTER}])"
        data = {name: rf"(?:{pattern(source)})" for name, source in language.orders if isinstance(source, str)}
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


@derived
def _rules() -> tuple[_Rules, ...]:
    return tuple(_Rules(language) for language in languages().values())


# These count in every language: a verb that two share must not hide the words that take it back.
@derived
def lead() -> re.Pattern[str]:
    """What may stand before an order and change nothing."""
    spaced, unspaced = any_language(lambda each: each.orders.openers)
    return re.compile(rf"[¡\s]*(?:(?:{spaced})(?:[,!.]\s*|\s+)|(?:{unspaced})[,!.]?\s*){{0,{MOST_OPENERS}}}+")


@derived
def _taken_back() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda each: each.orders.taken_back)
    return re.compile(rf"{EDGE}(?:{spaced})|{unspaced}")


@derived
def _said_at_end() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda each: each.orders.said)
    return re.compile(
        rf",\s*(?:[{LETTER}'-]+\s+){{0,4}}(?:{spaced})(?:\s+[{LETTER}]+){{0,3}}$|,[^,]{{0,8}}(?:{unspaced})[^,]{{0,3}}$"
    )


@derived
def _says() -> re.Pattern[str]:
    return re.compile(whole_words(lambda each: each.orders.said))


@derived
def _asking_that() -> re.Pattern[str]:
    """Folding took the accent that makes "what" of "that"; however it is written, it stands in what was said."""
    letters = {letter for language in languages().values() for letter in language.orders.asking_letters}
    spelled = {unicodedata.normalize(form, letter) for letter in letters for form in ("NFC", "NFD")}
    return re.compile("|".join(sorted(spelled)) or NEVER, re.IGNORECASE)


@derived
def _politely() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda each: each.orders.please)
    return re.compile(rf"\s*,\s*(?:{spaced}|{unspaced})$")


@derived
def _goes_on() -> re.Pattern[str]:
    """ "Forget pizza, I want sushi" and "forget your keys and you wait" forget nothing."""
    return re.compile(rf"[,;–—]|[.!?]\s|\s-\s|{whole_words(lambda each: each.orders.goes_on)}")


def own_statements(message: str) -> list[str]:
    """What the writer says themselves: no question, no quotation, nothing that they pass on, nothing taken back."""
    return [said for said in own_words(message) if not asks(said)]


def own_words(message: str) -> list[str]:
    """The same with what they ask: a question may tell something on the way."""
    quiet = without_quotations(message)
    own = [quiet[start:end] for start, end in own_sentences(message, _is_order)]
    own = [said if _is_order(said, True) else ANNOUNCES.split(said, maxsplit=1)[0] for said in own]
    return [said for said in own if not _taken_back().search(folded(said)[0])]


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
    begins = len(message) - len(message.lstrip())
    for start, end in own_sentences(message, _is_order):
        said = message[start:end].rstrip()
        order = _order_in(said, start, is_first=start <= begins)
        if order:
            orders.append(order)
    return orders


def _is_order(said: str, is_first: bool) -> bool:
    return _order_in(said, 0, is_first=is_first) is not None


def _order_in(said: str, start: int, *, is_first: bool) -> tuple[Order, bool] | None:
    text, places = folded(said)
    text = text.rstrip(MARKS_AT_END)
    led = lead().match(text)
    sentence = _Sentence(said, text, places, led.end() if led else 0, is_first)
    for rules in _rules():
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
        if (
            last is None or sentence.asks or _says().search(last[1])
        ):  # with the verb at the end, it may be his who said it
            return None
        return None if rules.not_last.search(last[1]) or rules.not_after.match(last[1]) else last.span(1)
    start, end = next(found.span(name) for name in ("words", "now_on", "always") if found[name] is not None)
    words = text[start:end]
    if (sentence.asks and not found["asked"]) or _taken_back().search(words) or rules.asks.search(words[-TAIL:]):
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
        if last is None or last.lastindex is None or _says().search(last[last.lastindex]):
            return None
        return None if rules.not_forgotten.match(last[last.lastindex]) else last.span(last.lastindex)
    words, that = found["words"], found["that"]
    never_mind = rules.not_forgotten.fullmatch if that else rules.not_forgotten.match
    if never_mind(words) or rules.asks.search(words[-TAIL:]) or _asks_what(sentence, found):
        return None
    if that is None and (_goes_on().search(words) or (found["strict"] and not found["about"])):
        return None
    return None if that and that.rstrip().endswith(",") else found.span("words")


def _asks_what(sentence: _Sentence, found: re.Match[str]) -> bool:
    first, last = found.span("that")
    return first >= 0 and bool(_asking_that().search(sentence.said, sentence.places[first], sentence.places[last]))


def _cut(sentence: _Sentence, start: int, first: int, last: int) -> Order | None:
    """The fact itself, in the user's own letters: without politeness and marks at its end."""
    tail = max(first, last - TAIL)
    if _said_at_end().search(sentence.text, tail, last):
        return None
    polite = _politely().search(sentence.text, tail, last)
    first, last = sentence.places[first], sentence.places[polite.start() if polite else last]
    words = sentence.said[first:last].rstrip().rstrip(MARKS_AT_END)
    first += len(words) - len(words.lstrip())
    words = words.strip()
    if not any(char.isalnum() or unicodedata.category(char) == "So" for char in words):  # a 🎉 says something
        return None
    return Order(words, (start + first, start + first + len(words)))
