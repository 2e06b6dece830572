"""Finds and counts the topics of a person's messages, by words and without a model."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from math import log2
from typing import Final

from memory.language.detection import function_words
from memory.language.lexicon import languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.small_talk import small_talk_words
from memory.language.terms import POINTING, WORD, fold, stem
from memory.language.time.time_spans import months, weekdays

MAX_READ: Final = 4_000  # characters of each message; a longer one was pasted
MIN_WORD_LENGTH, MAX_WORD_LENGTH = 3, 40
HAN_TOPIC_LENGTHS: Final = (4, 3, 2)
HALF_LIFE: Final = timedelta(days=30)
HAN: Final = re.compile(r"[\u3400-\u9fff]+")
UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
SOLID: Final = r"[^\s\u3000-\u9fff\uff00-\uffef]"
TOKEN_START: Final = rf"(?<!{SOLID})"
ENDS: Final = tuple(".!?…:;。！？؟।")


@dataclass(frozen=True, slots=True)
class TopicCount:
    """A topic with its number of mentions and the time of the last one."""

    name: str
    count: int
    last_seen: datetime


@dataclass(slots=True)
class _Topic:
    """A topic with its written forms."""

    first: int
    forms: Counter[str] = field(default_factory=Counter)
    is_name: bool = False

    @property
    def count(self) -> int:
        return self.forms.total()

    @property
    def usual_form(self) -> str:
        return min(self.forms, key=lambda form: (-self.forms[form], len(form), form))


@lexicon_cached
def _not_words() -> re.Pattern[str]:
    """Addresses, paths, code, numbers, and tokens that are too long or too mixed to be words."""
    return re.compile(
        rf"{SOLID}{{0,40}}(?:://|@|www\.|[\\=_{{}}<>$#|~^`/]){SOLID}*|{TOKEN_START}{SOLID}*\d{SOLID}*"
        rf"|{TOKEN_START}{SOLID}{{41,}}|{TOKEN_START}{SOLID}{{0,40}}[a-z][A-Z]{SOLID}{{0,40}}[a-z][A-Z]{SOLID}*"
    )


@lexicon_cached
def non_topic_words() -> frozenset[str]:
    """Folded words that are no topic in any language."""
    spoken = languages().values()
    small = [function_words()[language.name] for language in spoken]
    return small_talk_words().union(*small, *(language.topics.chatter for language in spoken), months(), weekdays())


@lexicon_cached
def _joiners() -> frozenset[str]:
    return frozenset("".join(language.topics.joiners or "" for language in languages().values()))


def topics_in(messages: Sequence[str], *, most: int = 5) -> list[str]:
    """The topics of one person's messages, best first: words used at least twice, and names of several words."""
    topics: dict[str, _Topic] = {}
    for message in messages:
        text = _without_code(message)
        for key, form in [*_spaced(text), *_unspaced(text)]:
            topics.setdefault(key, _Topic(len(topics))).forms[form] += 1
        for key, form in _names(text):
            topics.setdefault(key, _Topic(len(topics), Counter([form]))).is_name = True
    kept = [(key, topic) for key, topic in topics.items() if topic.count > 1 or topic.is_name]
    kept.sort(key=lambda pair: (-pair[1].count, -len(pair[0].split()), -_han_length(pair[0]), pair[1].first, pair[0]))
    chosen: list[tuple[str, int]] = []
    for key, topic in kept:
        if len(chosen) >= most:
            break
        if not any(topic.count <= count and _overlap(key, other) for other, count in chosen):
            chosen.append((key, topic.count))
    return [topics[key].usual_form for key, _ in chosen]


def merge_topics(known: Sequence[TopicCount], new: Sequence[str], now: datetime, *, most: int = 50) -> list[TopicCount]:
    """Add new topics to the known ones, best first. Rare and old topics are dropped first."""
    topics: dict[str, TopicCount] = {}
    for topic in sorted(known, key=lambda topic: (-topic.count, topic.name)):
        _add(topics, topic)
    for name in sorted({" ".join(name.split()).casefold(): name for name in sorted(new)}.values()):
        _add(topics, TopicCount(name, 1, now))
    ranked = sorted(topics.values(), key=lambda topic: (-_strength(topic, now), topic.name))
    return ranked[: max(most, 0)]


def _add(topics: dict[str, TopicCount], topic: TopicCount) -> None:
    name = " ".join(topic.name.lower().split())
    before = topics.get(name.casefold(), TopicCount(name, 0, topic.last_seen))
    if name:
        seen = max(before.last_seen, topic.last_seen)
        topics[name.casefold()] = TopicCount(before.name, before.count + topic.count, seen)


def _strength(topic: TopicCount, now: datetime) -> float:
    """Return the logarithm of a count that halves every month. The logarithm keeps old topics comparable."""
    return log2(max(topic.count, 1)) - max(now - topic.last_seen, timedelta()) / HALF_LIFE


def _without_code(message: str) -> str:
    """Remove addresses, code, numbers and reading marks from a message."""
    text = unicodedata.normalize("NFKC", POINTING.sub("", message[:MAX_READ]))
    return _not_words().sub("\n", text).replace("’", "'")


def _spaced(text: str) -> Iterator[tuple[str, str]]:
    """Words and pairs of adjacent words, each with its comparison key."""
    before: tuple[str, str] | None = None
    for key, word, follows, _ in _words(text):
        yield key, word.lower()
        if before and follows and len(before[1]) + len(word) < MAX_WORD_LENGTH:
            yield f"{before[0]} {key}", f"{before[1]} {word}".lower()
        before = key, word


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Runs of two or three capitalised words, not counting the first word of a sentence."""
    name: list[tuple[str, str]] = []
    for key, word, follows, begins in [*_words(text), ("", "", False, True)]:
        if name and not (follows and word.istitle()):
            if len(name) in (2, 3):
                yield " ".join(key for key, _ in name), " ".join(word for _, word in name).lower()
            name = []
        if word.istitle() and not begins:
            name.append((key, word))


def _words(text: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Yield informative words: comparison key, word, whether it follows another, whether it begins a sentence."""
    ended, after_one = 0, False
    for found in WORD.finditer(text):
        between = text[ended : found.start()]
        begins = not ended or "\n" in between or between.rstrip().endswith(ENDS)
        ended = found.end()
        word = found[0].removesuffix("'s")
        if is_informative := _is_informative(word) and _is_informative(found[0]):
            yield stem(fold(word)), word, after_one and between == " ", begins
        after_one = is_informative


def _is_informative(word: str) -> bool:
    if (
        not MIN_WORD_LENGTH <= len(word) <= MAX_WORD_LENGTH
        or UNSPACED.search(word)
        or any(character.isnumeric() for character in word)
    ):
        return False
    plain = fold(word)
    return plain not in non_topic_words() and plain.replace("'", "") not in non_topic_words()


def _unspaced(text: str) -> Iterator[tuple[str, str]]:
    joiners = _joiners()
    for run in HAN.findall(text):
        for size in HAN_TOPIC_LENGTHS:
            for at in range(len(run) - size + 1):
                characters = run[at : at + size]
                if joiners.isdisjoint(characters):
                    yield characters, characters


def _han_length(key: str) -> int:
    return len(key) if HAN.match(key) else 0


def _overlap(key: str, other: str) -> bool:
    """Return whether two topics share a word, or two adjacent Han characters."""
    if HAN.match(key) and HAN.match(other):
        return not set(pairwise(key)).isdisjoint(pairwise(other))
    return not set(key.split()).isdisjoint(other.split())
