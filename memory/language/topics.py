"""Tells what one person's messages are about, by their own words and without a model, and keeps count of it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from math import log2
from typing import Final

from memory.language.derived import derived
from memory.language.detection import function_words
from memory.language.lexicon import languages
from memory.language.small_talk import small_talk
from memory.language.terms import POINTING, WORD, fold, stem
from memory.language.time.times import months, weekdays

LONGEST_READ: Final = 4_000  # of each message; what is longer was pasted
SHORTEST, LONGEST = 3, 40
SIGNS_IN_A_TOPIC: Final = (4, 3, 2)
HALF_LIFE: Final = timedelta(days=30)
HAN: Final = re.compile(r"[\u3400-\u9fff]+")
UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
SOLID: Final = r"[^\s\u3000-\u9fff\uff00-\uffef]"
TOKEN_START: Final = rf"(?<!{SOLID})"
ENDS: Final = tuple(".!?…:;。！？؟।")


@dataclass(frozen=True, slots=True)
class TopicCount:
    """What somebody talks about, how often so far and when last."""

    name: str
    count: int
    last_seen: datetime


@dataclass(slots=True)
class _Said:
    """One thing in all its forms."""

    first: int
    forms: Counter[str] = field(default_factory=Counter)
    is_name: bool = False

    @property
    def count(self) -> int:
        return self.forms.total()

    @property
    def shown(self) -> str:
        return min(self.forms, key=lambda form: (-self.forms[form], len(form), form))


@derived
def _no_words() -> re.Pattern[str]:
    """Addresses, paths, code, numbers, and what is too long or too mixed for a word."""
    return re.compile(
        rf"{SOLID}{{0,40}}(?:://|@|www\.|[\\=_{{}}<>$#|~^`/]){SOLID}*|{TOKEN_START}{SOLID}*\d{SOLID}*"
        rf"|{TOKEN_START}{SOLID}{{41,}}|{TOKEN_START}{SOLID}{{0,40}}[a-z][A-Z]{SOLID}{{0,40}}[a-z][A-Z]{SOLID}*"
    )


@derived
def saying_nothing() -> frozenset[str]:
    """Words that are no topic in any language, as they look after folding."""
    spoken = languages().values()
    small = [function_words()[language.name] for language in spoken]
    return small_talk().union(*small, *(language.topics.chatter for language in spoken), months(), weekdays())


@derived
def _binding() -> frozenset[str]:
    return frozenset("".join(language.topics.binding or "" for language in languages().values()))


def topics_in(messages: Sequence[str], *, most: int = 5) -> list[str]:
    """What these messages of one person are about, best first: said twice at least, or a name of several words."""
    said: dict[str, _Said] = {}
    for message in messages:
        text = _readable(message)
        for key, form in [*_spaced(text), *_unspaced(text)]:
            said.setdefault(key, _Said(len(said))).forms[form] += 1
        for key, form in _names(text):
            said.setdefault(key, _Said(len(said), Counter([form]))).is_name = True
    kept = [(key, thing) for key, thing in said.items() if thing.count > 1 or thing.is_name]
    kept.sort(key=lambda pair: (-pair[1].count, -len(pair[0].split()), -_signs(pair[0]), pair[1].first, pair[0]))
    chosen: list[tuple[str, int]] = []
    for key, thing in kept:
        if len(chosen) >= most:
            break
        if not any(thing.count <= count and _overlap(key, other) for other, count in chosen):
            chosen.append((key, thing.count))
    return [said[key].shown for key, _ in chosen]


def merged(known: Sequence[TopicCount], new: Sequence[str], now: datetime, *, most: int = 50) -> list[TopicCount]:
    """Known topics and what was just talked about, best first; few mentions long ago leave first."""
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
    """Halves with every month of silence; a logarithm, so that nothing is too old to be told apart."""
    return log2(max(topic.count, 1)) - max(now - topic.last_seen, timedelta()) / HALF_LIFE


def _readable(message: str) -> str:
    """A message without what is no language: addresses, code, numbers, signs of reading."""
    text = unicodedata.normalize("NFKC", POINTING.sub("", message[:LONGEST_READ]))
    return _no_words().sub("\n", text).replace("’", "'")


def _spaced(text: str) -> Iterator[tuple[str, str]]:
    """Words, and pairs of words that stand together, each with what it is compared by."""
    before: tuple[str, str] | None = None
    for key, word, follows, _ in _words(text):
        yield key, word.lower()
        if before and follows and len(before[1]) + len(word) < LONGEST:
            yield f"{before[0]} {key}", f"{before[1]} {word}".lower()
        before = key, word


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Runs of two or three capitalised words; one at the beginning of a sentence may have its capital from there."""
    name: list[tuple[str, str]] = []
    for key, word, follows, begins in [*_words(text), ("", "", False, True)]:
        if name and not (follows and word.istitle()):
            if len(name) in (2, 3):
                yield " ".join(key for key, _ in name), " ".join(word for _, word in name).lower()
            name = []
        if word.istitle() and not begins:
            name.append((key, word))


def _words(text: str) -> Iterator[tuple[str, str, bool, bool]]:
    """Words that say something: what each is compared by, whether it follows another one, and whether it begins."""
    ended, after_one = 0, False
    for found in WORD.finditer(text):
        between = text[ended : found.start()]
        begins = not ended or "\n" in between or between.rstrip().endswith(ENDS)
        ended = found.end()
        word = found[0].removesuffix("'s")
        if tells := _tells(word) and _tells(found[0]):
            yield stem(fold(word)), word, after_one and between == " ", begins
        after_one = tells


def _tells(word: str) -> bool:
    if not SHORTEST <= len(word) <= LONGEST or UNSPACED.search(word) or any(sign.isnumeric() for sign in word):
        return False
    plain = fold(word)
    return plain not in saying_nothing() and plain.replace("'", "") not in saying_nothing()


def _unspaced(text: str) -> Iterator[tuple[str, str]]:
    binding = _binding()
    for run in HAN.findall(text):
        for size in SIGNS_IN_A_TOPIC:
            for at in range(len(run) - size + 1):
                signs = run[at : at + size]
                if binding.isdisjoint(signs):
                    yield signs, signs


def _signs(key: str) -> int:
    return len(key) if HAN.match(key) else 0


def _overlap(key: str, other: str) -> bool:
    """Whether both say the same thing: a word of a pair, or two signs in a row that both have."""
    if HAN.match(key) and HAN.match(other):
        return not _pairs(key).isdisjoint(_pairs(other))
    return not set(key.split()).isdisjoint(other.split())


def _pairs(signs: str) -> set[tuple[str, str]]:
    return set(pairwise(signs))
