"""Recognises a plain yes, a no, and an assistant's offer to remember something.

The program decides this itself: a yes to an offer is consent, which a model can never give.
"""

import re

from memory.language.lexicon_cache import lexicon_cached
from memory.language.patterns import any_language, pattern, whole_words
from memory.language.sentences import CLOSERS, EDGE, QUESTION_MARKS, fold_with_positions, sentence_bounds

MAX_YES_LENGTH = 80
MAX_REFUSAL_LENGTH = 60
MAX_OFFER_LENGTH = 1000

# Signs of no particular language.
AGREEING_SIGNS, POLITE_SIGNS, REFUSING_SIGNS = "👍|👌|✅|🆗|💯|✔|☑", "🙏|🙂|😊|😀|😄|❤|♥|🎉|✨", "👎|❌|🙅"
OWN_NAME = "keepsake"
BETWEEN = re.compile(r"[\s.,!¡;:~…。।॥()\-–—'\"\ufe0f\U0001f3fb-\U0001f3ff]+")
ASKING = re.compile(rf"(?<![?？؟])[?？؟]++[!{CLOSERS}]*+(?=[\s,;]|$)")


@lexicon_cached
def _yes() -> re.Pattern[str]:
    return re.compile(rf"{whole_words(lambda language: language.answers.agreed)}|{pattern(AGREEING_SIGNS)}")


@lexicon_cached
def _polite() -> re.Pattern[str]:
    return re.compile(rf"{whole_words(lambda language: language.answers.polite, OWN_NAME)}|{pattern(POLITE_SIGNS)}")


@lexicon_cached
def _no() -> re.Pattern[str]:
    before, before_unspaced = any_language(lambda language: language.answers.before_refusal)
    none, none_unspaced = any_language(lambda language: language.answers.not_refused)
    refused, refused_unspaced = any_language(lambda language: language.answers.refused)
    spaced = rf"(?:(?:{before})[,.]?\s+)?(?!{none})(?:{refused}){EDGE}"
    unspaced = rf"(?:(?:{before_unspaced})[,.]?\s*)?(?!{none_unspaced})(?:{refused_unspaced})"
    return re.compile(rf"[\s\"'«“„¡]*(?:{spaced}|{unspaced}|{pattern(REFUSING_SIGNS)})")


@lexicon_cached
def _offer() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda language: language.answers.offered)), re.DOTALL)


@lexicon_cached
def _offer_taken_back() -> re.Pattern[str]:
    return re.compile(whole_words(lambda language: language.answers.offer_taken_back))


@lexicon_cached
def _requests_answer() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda language: language.answers.waiting)))


@lexicon_cached
def _and_more() -> re.Pattern[str]:
    return re.compile("{}|{}".format(*any_language(lambda language: language.answers.and_more)))


@lexicon_cached
def _question_mark() -> re.Pattern[str]:
    return re.compile("[?？؟¿❓❔⁇⁈⁉‽﹖;]|{}|{}".format(*any_language(lambda language: language.answers.asking)))


@lexicon_cached
def _question_end() -> re.Pattern[str]:
    return re.compile(r"(?:[?？؟]|{}|{})\W*$".format(*any_language(lambda language: language.answers.asking)))


def is_plain_yes(message: str) -> bool:
    """Return whether the message is agreement only, unlike "yes, but …" and "yes?"."""
    if len(message) > MAX_YES_LENGTH or any(mark in message for mark in QUESTION_MARKS):
        return False
    text, _ = fold_with_positions(message)
    at, agreed = 0, False
    while at < len(text):
        yes = _yes().match(text, at)
        found = yes or _polite().match(text, at) or BETWEEN.match(text, at)
        if found is None:
            return False
        agreed = agreed or yes is not None
        at = found.end()
    return agreed


def starts_with_no(message: str) -> bool:
    """Return whether the message begins with a refusal, unlike "No problem" and "Don't forget"."""
    text, _ = fold_with_positions(message.lstrip()[:MAX_REFUSAL_LENGTH])
    return _no().match(text) is not None


def offers_to_remember(sentence: str) -> bool:
    """Return whether this is a question that offers to remember something."""
    if not _question_end().search(sentence[-20:]):
        return False
    text, _ = fold_with_positions(sentence[:MAX_OFFER_LENGTH])
    offer = _offer().search(text.strip(" \n\t¿\"'*_"))
    return offer is not None and not _offer_taken_back().search(offer[0])


def asks_nothing_else(reply: str) -> bool:
    """Return whether a yes can only refer to the card under this reply.

    The reply may ask one final question, which offers to remember something and nothing else.
    """
    questions = questions_in(reply)
    rest = reply
    if len(questions) == 1 and reply.rstrip().endswith(questions[0]) and offers_to_remember(questions[0]):
        text = fold_with_positions(questions[0])[0]
        rest = reply if _and_more().search(text) else reply.rstrip().removesuffix(questions[0])
    return not _requests_answer().search(fold_with_positions(rest)[0]) and not _question_mark().search(rest)


def questions_in(text: str) -> list[str]:
    """The questions of a text, each with its question mark."""
    questions = []
    for start, end in sentence_bounds(text):
        for found in ASKING.finditer(text, start, end):
            questions.append(text[start : found.end()].strip())
            start = found.end()
    return questions
