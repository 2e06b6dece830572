"""Decides whether a message may state a lasting fact about its writer. Only such a message is worth a model call.

Quoted, forwarded and interrogative text is ignored. A sentence is read clause by clause, because a question often
contains a statement: "I'm vegan, what can I cook?". Everything is linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memory.language.lexicon import Language, languages
from memory.language.lexicon.people import PeopleWords
from memory.language.lexicon_cache import lexicon_cached
from memory.language.orders import find_forget_orders, lead_in, own_statements
from memory.language.patterns import any_language, pattern
from memory.language.sentences import (
    COLON,
    EDGE,
    LETTER,
    QUESTION_MARKS,
    blank_quotations,
    fold_with_positions,
    is_question,
    own_sentences,
)
from memory.language.transient import is_transient

# Smaller than for orders, because this runs on every message.
MAX_READ = 8_000
MAX_CLAUSE_LENGTH = 400  # a statement begins earlier in its clause
MIN_CLAUSE_LENGTH = 3  # "我吃素" is a statement

WORD = re.compile(rf"[{LETTER}-]+")


class _SelfPatterns:
    """Patterns for statements about the writer, in all languages."""

    def __init__(self) -> None:
        self.asks = re.compile(_any(lambda language: language.precheck.asks))
        self.asks_within = re.compile(_any(lambda language: language.precheck.asks_within))
        self.chat = re.compile(_any(lambda language: language.precheck.chat))
        self.tells = re.compile(_any(lambda language: language.precheck.tells))
        self.bare = re.compile(_any(lambda language: language.precheck.bare))
        self.speaks = re.compile(_any(lambda language: language.precheck.speaks))
        self.at_hand = re.compile(_any(lambda language: language.precheck.at_hand))
        cuts = _any(lambda language: language.precheck.cuts)
        self.clause = re.compile(rf"[,;，；、—–(){{}}]|\s-\s|\.\s|(?:{cuts})(?![{LETTER}])")
        question_words = [
            pattern(language.precheck.asks) for language in languages().values() if language.precheck.asks_first
        ]
        self.question_words = re.compile(rf"\s(?:(?<![{LETTER}])(?:{'|'.join(question_words)}))")


class _PeoplePatterns:
    """Patterns for statements about other people, in all languages."""

    def __init__(self) -> None:
        self.lives = re.compile(_any(lambda language: language.people.lives))
        self.he = re.compile(_any(lambda language: language.people.he))
        self.no_name = re.compile(_any(lambda language: language.people.no_name))
        self.thing = re.compile("|".join(any_language(lambda language: language.people.things)))
        self.article = re.compile("(?:(?:{}|{})\\s+)?".format(*any_language(lambda language: language.people.article)))
        sections = [language.people for language in languages().values()]
        kin = ((pattern(people.kin), pattern(people.kin_does)) for people in sections)
        self.kin = re.compile("|".join(rf"(?:{who})(?:{does})" for who, does in kin))
        self.does = _after(lambda people: people.does)
        self.acts = _after(lambda people: people.acts)


_self_patterns, _people_patterns = lexicon_cached(_SelfPatterns), lexicon_cached(_PeoplePatterns)


def _any(words: Callable[[Language], str]) -> str:
    """A pattern for the words of all languages, starting at a word boundary where the language has spaces."""
    spaced, unspaced = any_language(words)
    return rf"(?<![{LETTER}])(?:{spaced})|{unspaced}"


def _after(words: Callable[[PeopleWords], str]) -> re.Pattern[str]:
    """A pattern for the words after a person's name."""
    gap = r"(?:\s+|(?<=')|(?='))"
    sections = [language.people for language in languages().values()]
    pairs = ((pattern(people.steps), pattern(words(people))) for people in sections)
    return re.compile(
        "|".join(rf"(?:{gap}(?:{steps})(?:{EDGE}|(?<='))){{0,2}}{gap}(?:{does})" for steps, does in pairs)
    )


class Clause(NamedTuple):
    """A folded clause, and the positions of its capitalised words."""

    text: str
    capitals: frozenset[int] = frozenset()


def may_hold_fact(message: str) -> bool:
    """Return whether the writer may state a lasting fact about themselves or their people, work, home or plans."""
    read = message[:MAX_READ]
    if any(_states_fact(clause) for statement in own_statements(read) for clause in _clauses(statement)):
        return True
    return any(_states_fact(clause) for question in _own_questions(read) for clause in _clauses_before(question))


def _own_questions(message: str) -> list[str]:
    if not any(mark in message for mark in QUESTION_MARKS):
        return []
    unquoted = blank_quotations(message)
    own = [unquoted[start:end] for start, end in own_sentences(message, lambda sentence, is_first: False)]
    return [COLON.split(sentence, maxsplit=1)[0] for sentence in own if is_question(sentence)]


def _clauses_before(question: str) -> Iterator[Clause]:
    """Yield all clauses of a question but the last, then the last one up to its question words."""
    *before, last = _clauses(question)
    yield from before
    if (asking := _self_patterns().question_words.search(last.text)) and asking.start():
        yield last._replace(text=last.text[: asking.start()])


def _clauses(sentence: str) -> list[Clause]:
    text, positions = fold_with_positions(sentence)
    cuts = [(cut.start(), cut.end()) for cut in _self_patterns().clause.finditer(text)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [_clause(sentence, text, positions, start, end) for start, end in zip(starts, ends, strict=True)]


def _clause(sentence: str, text: str, positions: Sequence[int], start: int, end: int) -> Clause:
    clause = text[start : min(end, start + MAX_CLAUSE_LENGTH)]
    start += len(clause) - len(clause.lstrip())
    clause = clause.strip()
    words = (word.start() for word in WORD.finditer(clause))
    return Clause(clause, frozenset(word for word in words if sentence[positions[start + word]].isupper()))


def _states_fact(clause: Clause) -> bool:
    text = clause.text
    if len(text) < MIN_CLAUSE_LENGTH:
        return False
    led, patterns = lead_in().match(text), _self_patterns()
    first = led.end() if led else 0
    if patterns.asks.match(text) or patterns.asks.match(text, first):
        return False
    if patterns.asks_within.search(text) or patterns.chat.search(text):
        return False
    if not (
        patterns.tells.search(text)
        or patterns.bare.match(text, first)
        or (patterns.speaks.search(text) and not patterns.at_hand.search(text))
        or _is_about_people(clause, first)
    ):
        return False
    return not (is_transient(text) or find_forget_orders(text))


def _is_about_people(clause: Clause, first: int) -> bool:
    text, patterns = clause.text, _people_patterns()
    if patterns.lives.search(text) or patterns.kin.match(text) or patterns.kin.match(text, first):
        return True
    named = (word for word in WORD.finditer(text) if word.start() in clause.capitals)
    names = [word for word in named if not (patterns.no_name.fullmatch(word[0]) or patterns.thing.fullmatch(word[0]))]
    people = [*names, *patterns.he.finditer(text)]
    if any(patterns.does.match(text, person.end()) for person in people):
        return True
    begins = {article.end() for place in (0, first) if (article := patterns.article.match(text, place))}
    return any(patterns.acts.match(text, name.end()) for name in names if name.start() in begins)
