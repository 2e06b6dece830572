"""Orders what was found for a question: words and vectors first, then who spoke, when, and what stands around it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nsmallest
from math import fsum
from typing import Final

from memory.language.terms import UNSPACED, fold, stop_words, words
from memory.language.time.times import Span

DAY_SECONDS: Final = 86_400
LEAST_SPREAD: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk that may answer, with what the database measured; a figure that it did not measure is zero or None."""

    id: str
    conversation: str
    position: int
    part: int
    speaker: str
    at: datetime
    importance: float
    words: float
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Question:
    """When it is asked, what would hold all of its words, of whom it speaks by name, and which time it names."""

    now: datetime
    all_words: float
    speakers: frozenset[str] = frozenset()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of the similarity over everything that the viewer may read."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class Weights:
    """How much each sign counts: what stands in the settings and in the provenance of an answer."""

    relevance: float = 0.6
    recency: float = 0.3
    importance: float = 0.1
    half_life_days: float = 1095.0
    words: float = 6.0
    vector: float = 1.0
    neighbour: float = 0.3
    second_neighbour: float = 0.15
    conversation: float = 0.5
    conversation_best: int = 3
    speaker: float = 1.0
    time: float = 3.0
    time_after_days: float = 7.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its place in the order, and what brought it there."""

    candidate: Candidate
    score: float
    parts: dict[str, float] = field(hash=False)
    why: str


def score(
    question: Question,
    candidates: Sequence[Candidate],
    weights: Weights = Weights(),  # noqa: B008 frozen
    spread: Spread | None = None,
    *,
    limit: int = 200,
) -> list[Scored]:
    """The most relevant candidates, so many are scored, best first; equal ones by time, the newer first, then by id."""
    spoken = _words(question, candidates, weights)
    vector = _vector(candidates, weights, spread)
    own = [by_words + by_vector for by_words, by_vector in zip(spoken, vector, strict=True)]
    around, conversation = _surroundings(candidates, own, weights)
    speaker = [weights.speaker if each.speaker in question.speakers else 0.0 for each in candidates]
    moments = [each.at.timestamp() for each in candidates]
    time = _time(question, moments, weights)
    relevance = list(map(fsum, zip(own, around, conversation, speaker, time, strict=True)))
    order = [(-relevance[at], -moments[at], each.id, at) for at, each in enumerate(candidates)]
    relevant = [at for *_, at in nsmallest(limit, order)]
    most = max([LEAST_SPREAD, *(relevance[at] for at in relevant[:1])])
    scored = [
        _scored(
            candidates[at],
            relevance[at] / most,
            weights,
            {
                "words": spoken[at],
                "vector": vector[at],
                "neighbours": around[at],
                "session": conversation[at],
                "speaker": speaker[at],
                "time": time[at],
                "recency": _recency(question, moments[at], weights),
                "importance": candidates[at].importance,
            },
        )
        for at in relevant
    ]
    return sorted(scored, key=lambda each: (-each.score, -each.candidate.at.timestamp(), each.candidate.id))


def named_speakers(text: str, names: Iterable[str]) -> frozenset[str]:
    """Those of whom a question speaks by name, or by a part of it that says something."""
    said = fold(text)
    spoken = {part for word in words(text) for part in (word, word.split("'")[0])}
    return frozenset(
        name
        for name in names
        if any((part in said) if UNSPACED.fullmatch(part) else (part in spoken) for part in _telling_parts(name))
    )


def without_names(text: str, names: Iterable[str]) -> str:
    """A question as it is embedded: who speaks is known, and a name in it finds those who are greeted by that name."""
    parts = [part for name in names for part in name.split() if len(part) > 1 and fold(part) not in stop_words()]
    if not parts:
        return text
    listed = "|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True))
    bare = re.sub(rf"(?<!\w)(?:{listed})(?:['’]s)?(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(bare.split()) if words(bare) else text


def _words(question: Question, candidates: Sequence[Candidate], weights: Weights) -> list[float]:
    """The share of the question's words that a text holds, the rare ones counting most."""
    scale = weights.words / max(question.all_words, LEAST_SPREAD)
    return [each.words * scale for each in candidates]


def _vector(candidates: Sequence[Candidate], weights: Weights, spread: Spread | None) -> list[float]:
    """How far the similarity stands above the usual: its absolute value says nothing."""
    if spread is None:
        return [0.0] * len(candidates)
    scale = weights.vector / max(spread.deviation, LEAST_SPREAD)
    return [0.0 if each.similarity is None else (each.similarity - spread.mean) * scale for each in candidates]


def _surroundings(
    candidates: Sequence[Candidate], own: Sequence[float], weights: Weights
) -> tuple[list[float], list[float]]:
    """What neighbours and conversation lend each candidate: an answer often shares no word with its question."""
    conversations: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for at, each in enumerate(candidates):
        conversations[each.conversation].append((each.position, each.part, at))
    around, session = [0.0] * len(own), [0.0] * len(own)
    for turns in conversations.values():
        turns.sort()
        best = sorted((own[at] for _, _, at in turns if own[at] > 0), reverse=True)[: weights.conversation_best]
        lent = weights.conversation * sum(best) / weights.conversation_best
        for _, _, at in turns:
            session[at] = lent
        for step, share in ((1, weights.neighbour), (2, weights.second_neighbour)):
            for (before, _, at), (after, _, other) in zip(turns, turns[step:], strict=False):
                if after - before <= step:
                    around[at] += share * max(own[other], 0.0)
                    around[other] += share * max(own[at], 0.0)
    return around, session


def _time(question: Question, moments: Sequence[float], weights: Weights) -> list[float]:
    """Said within the time asked for, or soon after it, when people still speak of it."""
    if question.span is None:
        return [0.0] * len(moments)
    start, end = question.span.start.timestamp(), question.span.end.timestamp()
    after = weights.time_after_days * DAY_SECONDS
    return [
        0.0 if moment < start else weights.time if moment < end else weights.time * 2.0 ** (-(moment - end) / after)
        for moment in moments
    ]


def _recency(question: Question, moment: float, weights: Weights) -> float:
    age = max(question.now.timestamp() - moment, 0.0)
    return float(2.0 ** (-age / (weights.half_life_days * DAY_SECONDS)))


def _scored(candidate: Candidate, relevance: float, weights: Weights, parts: dict[str, float]) -> Scored:
    recency, importance = weights.recency * parts["recency"], weights.importance * parts["importance"]
    total = weights.relevance * relevance + recency + importance
    signs = [name for name in ("words", "vector", "neighbours", "session", "speaker", "time") if parts[name] > 0]
    return Scored(candidate, total, parts, ", ".join(sorted(signs, key=lambda name: -parts[name])[:3]) or "recency")


def _telling_parts(name: str) -> list[str]:
    return [part for part in words(name) if part not in stop_words()]
