"""Finds explicit orders to remember or to forget in a user's own sentences. The program decides this, never a model.

    "Please remember that I'm vegan."     an order to remember "I'm vegan"
    "Forget about the trip to Rome."      an order to forget "the trip to Rome"
    "Do you remember that I'm vegan?"     a question, no order

The words are in `[orders]` of each language; the rules here are common to all. Everything is linear in the length of
the message.
"""

import re
import unicodedata
from dataclasses import dataclass

from memory.language.lexicon import Language, languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon_cache import lexicon_cached
from memory.language.patterns import any_language, pattern, whole_words
from memory.language.sentences import (
    COLON,
    EDGE,
    LETTER,
    MARKS_AT_END,
    blank_quotations,
    fold_with_positions,
    is_question,
    own_sentences,
)

MAX_OPENERS = 12
TAIL = 60  # characters at the end of an order that are checked for closing words


@dataclass(frozen=True, slots=True)
class Order:
    """The words to remember or to forget, and their span in the message."""

    words: str
    span: tuple[int, int]


def find_orders(message: str) -> list[Order]:
    """Orders to remember, at most one per sentence. A question, a quotation or "don't remember" is no order."""
    return [order for order, to_remember in _orders(message) if to_remember]


def find_forget_orders(message: str) -> list[Order]:
    """Orders to forget, at most one per sentence. A question is no order."""
    return [order for order, to_remember in _orders(message) if not to_remember]


class _Rules:
    """The patterns of one language, to be matched against folded text."""

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


@lexicon_cached
def _rules() -> tuple[_Rules, ...]:
    return tuple(_Rules(language) for language in languages().values())


# These match in all languages: a verb may belong to two languages, and the words that revoke its order to the other.
@lexicon_cached
def lead_in() -> re.Pattern[str]:
    """Words that may precede an order without changing it."""
    spaced, unspaced = any_language(lambda language: language.orders.openers)
    return re.compile(rf"[¡\s]*(?:(?:{spaced})(?:[,!.]\s*|\s+)|(?:{unspaced})[,!.]?\s*){{0,{MAX_OPENERS}}}+")


@lexicon_cached
def _taken_back() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda language: language.orders.taken_back)
    return re.compile(rf"{EDGE}(?:{spaced})|{unspaced}")


@lexicon_cached
def _quoted_at_end() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda language: language.orders.said)
    return re.compile(
        rf",\s*(?:[{LETTER}'-]+\s+){{0,4}}(?:{spaced})(?:\s+[{LETTER}]+){{0,3}}$|,[^,]{{0,8}}(?:{unspaced})[^,]{{0,3}}$"
    )


@lexicon_cached
def _quotes() -> re.Pattern[str]:
    return re.compile(whole_words(lambda language: language.orders.said))


@lexicon_cached
def _interrogative_letters() -> re.Pattern[str]:
    """Letters that tell "what" from "that" ("qué", "que"). Searched in the original: folding removes accents."""
    letters = {letter for language in languages().values() for letter in language.orders.asking_letters}
    spelled = {unicodedata.normalize(form, letter) for letter in letters for form in ("NFC", "NFD")}
    return re.compile("|".join(sorted(spelled)) or NEVER, re.IGNORECASE)


@lexicon_cached
def _polite_end() -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda language: language.orders.please)
    return re.compile(rf"\s*,\s*(?:{spaced}|{unspaced})$")


@lexicon_cached
def _next_clause() -> re.Pattern[str]:
    """ "Forget pizza, I want sushi" and "forget your keys and you wait" are no orders to forget."""
    return re.compile(rf"[,;–—]|[.!?]\s|\s-\s|{whole_words(lambda language: language.orders.goes_on)}")


def own_statements(message: str) -> list[str]:
    """The writer's own sentences, without questions, quotations, forwarded text and revoked orders."""
    return [sentence for sentence in own_texts(message) if not is_question(sentence)]


def own_texts(message: str) -> list[str]:
    """Like `own_statements`, with the writer's own questions, which may contain a statement."""
    unquoted = blank_quotations(message)
    own = [unquoted[start:end] for start, end in own_sentences(message, _is_order)]
    own = [text if _is_order(text, True) else COLON.split(text, maxsplit=1)[0] for text in own]
    return [text for text in own if not _taken_back().search(fold_with_positions(text)[0])]


@dataclass(frozen=True, slots=True)
class _Sentence:
    original: str
    folded: str
    positions: list[int]
    """Each folded character's position in `original`."""
    start: int
    """The position after the lead-in, in the folded sentence."""
    is_first: bool

    @property
    def is_question(self) -> bool:
        return is_question(self.original)


def _orders(message: str) -> list[tuple[Order, bool]]:
    """Every order in the user's own sentences, and whether it is an order to remember."""
    orders = []
    begins = len(message) - len(message.lstrip())
    for start, end in own_sentences(message, _is_order):
        order = _order_in(message[start:end].rstrip(), start, is_first=start <= begins)
        if order:
            orders.append(order)
    return orders


def _is_order(sentence: str, is_first: bool) -> bool:
    return _order_in(sentence, 0, is_first=is_first) is not None


def _order_in(original: str, start: int, *, is_first: bool) -> tuple[Order, bool] | None:
    folded, positions = fold_with_positions(original)
    folded = folded.rstrip(MARKS_AT_END)
    led = lead_in().match(folded)
    sentence = _Sentence(original, folded, positions, led.end() if led else 0, is_first)
    for rules in _rules():
        for span, to_remember in ((_to_remember(sentence, rules), True), (_to_forget(sentence, rules), False)):
            order = span and _cut(sentence, start, *span)
            if order:
                return order, to_remember
    return None


def _to_remember(sentence: _Sentence, rules: _Rules) -> tuple[int, int] | None:
    """The folded span of the fact in an order to remember."""
    text = sentence.folded
    found = rules.order.match(text, sentence.start)
    if found is None:
        last = rules.last.match(text, sentence.start)
        # With the verb at the end, the order may be part of a quotation.
        if last is None or sentence.is_question or _quotes().search(last[1]):
            return None
        return None if rules.not_last.search(last[1]) or rules.not_after.match(last[1]) else last.span(1)
    start, end = next(found.span(name) for name in ("words", "now_on", "always") if found[name] is not None)
    words = text[start:end]
    if (sentence.is_question and not found["asked"]) or _taken_back().search(words) or rules.asks.search(words[-TAIL:]):
        return None
    if (found["first"] and not sentence.is_first) or _is_interrogative(sentence, found):
        return None
    if found["that"] is None and found["words"] is not None:
        needs_that = found["bare"] is None
        if needs_that or rules.not_after.match(words) or rules.not_last.search(words[-TAIL:]):
            return None
    return start, end


def _to_forget(sentence: _Sentence, rules: _Rules) -> tuple[int, int] | None:
    """Return the folded span of the words to forget."""
    if sentence.is_question:
        return None
    found = rules.forget.match(sentence.folded, sentence.start)
    if found is None:
        last = rules.forget_last.match(sentence.folded, sentence.start)
        if last is None or last.lastindex is None or _quotes().search(last[last.lastindex]):
            return None
        return None if rules.not_forgotten.match(last[last.lastindex]) else last.span(last.lastindex)
    words, that = found["words"], found["that"]
    never_mind = rules.not_forgotten.fullmatch if that else rules.not_forgotten.match
    if never_mind(words) or rules.asks.search(words[-TAIL:]) or _is_interrogative(sentence, found):
        return None
    if that is None and (_next_clause().search(words) or (found["strict"] and not found["about"])):
        return None
    return None if that and that.rstrip().endswith(",") else found.span("words")


def _is_interrogative(sentence: _Sentence, found: re.Match[str]) -> bool:
    """Return whether the "that" of an order is really a "what"."""
    first, last = found.span("that")
    if first < 0:
        return False
    return bool(_interrogative_letters().search(sentence.original, sentence.positions[first], sentence.positions[last]))


def _cut(sentence: _Sentence, start: int, first: int, last: int) -> Order | None:
    """The fact in the user's own spelling, without polite words and marks at its end."""
    tail = max(first, last - TAIL)
    if _quoted_at_end().search(sentence.folded, tail, last):
        return None
    polite = _polite_end().search(sentence.folded, tail, last)
    first, last = sentence.positions[first], sentence.positions[polite.start() if polite else last]
    words = sentence.original[first:last].rstrip().rstrip(MARKS_AT_END)
    first += len(words) - len(words.lstrip())
    words = words.strip()
    if not any(char.isalnum() or unicodedata.category(char) == "So" for char in words):  # a 🎉 counts as content
        return None
    return Order(words, (start + first, start + first + len(words)))
