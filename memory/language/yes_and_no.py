"""Understands short answers and offers: a plain yes, a no, and a question in which an assistant offers to remember.

The program reads these itself, because a yes to an offer is a consent, and consent is never a model's to give.
"""

import re

from memory.language.derived import derived
from memory.language.patterns import any_language, pattern, whole_words
from memory.language.sentences import CLOSERS, EDGE, QUESTION_MARKS, folded, sentences

LONGEST_YES = 80
LONGEST_REFUSAL = 60
LONGEST_OFFER = 1000  # an assistant that offers comes to the point

# What belongs to no language.
AGREEING_SIGNS, POLITE_SIGNS, REFUSING_SIGNS = "👍|👌|✅|🆗|💯|✔|☑", "🙏|🙂|😊|😀|😄|❤|♥|🎉|✨", "👎|❌|🙅"
OWN_NAME = "keepsake"
BETWEEN = re.compile(r"[\s.,!¡;:~…。।॥()\-–—'\"\ufe0f\U0001f3fb-\U0001f3ff]+")
ASKING = re.compile(rf"(?<![?？؟])[?？؟]++[!{CLOSERS}]*+(?=[\s,;]|$)")


@derived
def _yes() -> re.Pattern[str]:
    return re.compile(rf"{whole_words(lambda each: each.answers.agreed)}|{pattern(AGREEING_SIGNS)}")


@derived
def _politely() -> re.Pattern[str]:
    return re.compile(rf"{whole_words(lambda each: each.answers.polite, OWN_NAME)}|{pattern(POLITE_SIGNS)}")


@derived
def _no() -> re.Pattern[str]:
    before, before_unspaced = any_language(lambda each: each.answers.before_refusal)
    none, none_unspaced = any_language(lambda each: each.answers.not_refused)
    refused, refused_unspaced = any_language(lambda each: each.answers.refused)
    spaced = rf"(?:(?:{before})[,.]?\s+)?(?!{none})(?:{refused}){EDGE}"
    unspaced = rf"(?:(?:{before_unspaced})[,.]?\s*)?(?!{none_unspaced})(?:{refused_unspaced})"
    return re.compile(rf"[\s\"'«“„¡]*(?:{spaced}|{unspaced}|{pattern(REFUSING_SIGNS)})")


@derived
def _offer() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda each: each.answers.offered)), re.DOTALL)


@derived
def _contrary() -> re.Pattern[str]:
    return re.compile(whole_words(lambda each: each.answers.offer_taken_back))


@derived
def _waits() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda each: each.answers.waiting)))


@derived
def _more() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda each: each.answers.and_more)))


@derived
def _question_like() -> re.Pattern[str]:
    return re.compile("[?？؟¿❓❔⁇⁈⁉‽﹖;]|{}|{}".format(*any_language(lambda each: each.answers.asking)))


@derived
def _asked_at_end() -> re.Pattern[str]:
    return re.compile(r"(?:[?？؟]|{}|{})\W*$".format(*any_language(lambda each: each.answers.asking)))


def plain_yes(message: str) -> bool:
    """Whether the whole message is nothing but agreement: "yes, but …" and "yes?" are not."""
    if len(message) > LONGEST_YES or any(mark in message for mark in QUESTION_MARKS):
        return False
    text, _ = folded(message)
    at, agreed = 0, False
    while at < len(text):
        yes = _yes().match(text, at)
        found = yes or _politely().match(text, at) or BETWEEN.match(text, at)
        if found is None:
            return False
        agreed = agreed or yes is not None
        at = found.end()
    return agreed


def starts_with_no(message: str) -> bool:
    """Whether the message begins with a refusal; "No problem" and "don't forget" are none."""
    text, _ = folded(message.lstrip()[:LONGEST_REFUSAL])
    return _no().match(text) is not None


def offers_to_remember(sentence: str) -> bool:
    """Whether this is a question in which an assistant offers to remember something."""
    if not _asked_at_end().search(sentence[-20:]):
        return False
    text, _ = folded(sentence[:LONGEST_OFFER])
    offer = _offer().search(text.strip(" \n\t¿\"'*_"))
    return offer is not None and not _contrary().search(offer[0])


def asks_nothing_else(reply: str) -> bool:
    """Whether a yes can mean only the card under this reply: nothing in it asks or waits for a word, except for one
    question at its end that offers to remember and no more."""
    asked = questions_in(reply)
    rest = reply
    if len(asked) == 1 and reply.rstrip().endswith(asked[0]) and offers_to_remember(asked[0]):
        text = folded(asked[0])[0]
        rest = reply if _more().search(text) else reply.rstrip().removesuffix(asked[0])
    return not _waits().search(folded(rest)[0]) and not _question_like().search(rest)


def questions_in(text: str) -> list[str]:
    """The sentences that ask, each with its mark."""
    questions = []
    for start, end in sentences(text):
        for found in ASKING.finditer(text, start, end):
            questions.append(text[start : found.end()].strip())
            start = found.end()
    return questions
