"""Understands short answers and offers: a plain yes, a no, and a question in which an assistant offers to remember.

The program reads these itself, because a yes to an offer is a consent, and consent is never a model's to give.
"""

import re

from memory.answer_words import (
    AGREED,
    AGREED_UNSPACED,
    AND_MORE,
    OFFER_TAKEN_BACK,
    OFFERED,
    OFFERED_UNSPACED,
    POLITE,
    POLITE_UNSPACED,
    REFUSED,
    REFUSED_UNSPACED,
    WAITING,
)
from memory.orders import pattern
from memory.sentences import CLOSERS, EDGE, QUESTION_MARKS, folded, sentences

LONGEST_YES = 80
LONGEST_REFUSAL = 60
LONGEST_OFFER = 1000  # an assistant that offers comes to the point

YES = re.compile(rf"{EDGE}(?:{pattern('|'.join(AGREED))}){EDGE}|{pattern(AGREED_UNSPACED)}")
POLITELY = re.compile(rf"{EDGE}(?:{pattern(POLITE)}){EDGE}|{pattern(POLITE_UNSPACED)}")
BETWEEN = re.compile(r"[\s.,!¡;:~…。।॥()\-–—'\"\ufe0f\U0001f3fb-\U0001f3ff]+")
NO = re.compile(rf"[\s\"'«“„¡]*(?:{pattern(REFUSED)}{EDGE}|{pattern(REFUSED_UNSPACED)})")
OFFER = re.compile(rf"{pattern('|'.join(OFFERED))}|{pattern(OFFERED_UNSPACED)}", re.DOTALL)
CONTRARY = re.compile(pattern(OFFER_TAKEN_BACK))
ASKING = re.compile(rf"(?<![?？؟])[?？؟]++[!{CLOSERS}]*+(?=[\s,;]|$)")
QUESTION_LIKE = re.compile("[?？؟¿❓❔⁇⁈⁉‽﹖;吗嗎]")
WAITS = re.compile(pattern(WAITING))
MORE = re.compile(pattern(AND_MORE))
ASKED_AT_END = re.compile(r"(?:[?？؟]|[吗嗎])\W*$")


def plain_yes(message: str) -> bool:
    """Whether the whole message is nothing but agreement: "yes, but …" and "yes?" are not."""
    if len(message) > LONGEST_YES or any(mark in message for mark in QUESTION_MARKS):
        return False
    text, _ = folded(message)
    at, agreed = 0, False
    while at < len(text):
        yes = YES.match(text, at)
        found = yes or POLITELY.match(text, at) or BETWEEN.match(text, at)
        if found is None:
            return False
        agreed = agreed or yes is not None
        at = found.end()
    return agreed


def starts_with_no(message: str) -> bool:
    """Whether the message begins with a refusal; "No problem" and "don't forget" are none."""
    text, _ = folded(message.lstrip()[:LONGEST_REFUSAL])
    return NO.match(text) is not None


def offers_to_remember(sentence: str) -> bool:
    """Whether this is a question in which an assistant offers to remember something."""
    if not ASKED_AT_END.search(sentence[-20:]):
        return False
    text, _ = folded(sentence[:LONGEST_OFFER])
    offer = OFFER.search(text.strip(" \n\t¿\"'*_"))
    return offer is not None and not CONTRARY.search(offer[0])


def asks_nothing_else(reply: str) -> bool:
    """Whether a yes can mean only the card under this reply: nothing in it asks or waits for a word, except for one
    question at its end that offers to remember and no more."""
    asked = questions_in(reply)
    rest = reply
    if len(asked) == 1 and reply.rstrip().endswith(asked[0]) and offers_to_remember(asked[0]):
        text = folded(asked[0])[0]
        rest = reply if MORE.search(text) else reply.rstrip().removesuffix(asked[0])
    return not WAITS.search(folded(rest)[0]) and not QUESTION_LIKE.search(rest)


def questions_in(text: str) -> list[str]:
    """The sentences that ask, each with its mark."""
    questions = []
    for start, end in sentences(text):
        for found in ASKING.finditer(text, start, end):
            questions.append(text[start : found.end()].strip())
            start = found.end()
    return questions
