"""Ranks the candidates for a question: by words and vectors first, then by speaker, time and neighbours."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nsmallest
from math import fsum
from typing import Final

from memory.language.terms import UNSPACED, fold, stop_words, words
from memory.language.time.time_spans import TimeSpan

DAY_SECONDS: Final = 86_400
MIN_SPREAD: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer, with the figures that the database measured. Missing figures are zero or None."""

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
    """A question: its time, the score of a text with all its words, the speakers it names, and its time span."""

    now: datetime
    all_words: float
    speakers: frozenset[str] = frozenset()
    span: TimeSpan | None = None


@dataclass(frozen=True, slots=True)
class SimilarityStats:
    """Mean and standard deviation of the similarity over all content that the viewer may read."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class Weights:
    """The weight of each signal. Weights come from the settings, and an answer's provenance reports them."""

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
    """A candidate with its score and the reasons for it."""

    candidate: Candidate
    score: float
    parts: dict[str, float] = field(hash=False)
    why: str


def score(
    question: Question,
    candidates: Sequence[Candidate],
    weights: Weights = Weights(),  # noqa: B008 frozen
    spread: SimilarityStats | None = None,
    *,
    limit: int = 200,
) -> list[Scored]:
    """Score the `limit` most relevant candidates, best first. Ties go to the newer one, then to the lower id."""
    words_scores = _words(question, candidates, weights)
    vector = _vector(candidates, weights, spread)
    own = [by_words + by_vector for by_words, by_vector in zip(words_scores, vector, strict=True)]
    around, conversation = _surroundings(candidates, own, weights)
    speaker = [weights.speaker if candidate.speaker in question.speakers else 0.0 for candidate in candidates]
    moments = [candidate.at.timestamp() for candidate in candidates]
    time = _time(question, moments, weights)
    relevance = list(map(fsum, zip(own, around, conversation, speaker, time, strict=True)))
    order = [(-relevance[at], -moments[at], candidate.id, at) for at, candidate in enumerate(candidates)]
    relevant = [at for *_, at in nsmallest(limit, order)]
    most = max([MIN_SPREAD, *(relevance[at] for at in relevant[:1])])
    scored = [
        _scored(
            candidates[at],
            relevance[at] / most,
            weights,
            {
                "words": words_scores[at],
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
    return sorted(scored, key=lambda result: (-result.score, -result.candidate.at.timestamp(), result.candidate.id))


def named_speakers(text: str, names: Iterable[str]) -> frozenset[str]:
    """Return the speakers that a question names, wholly or by an informative part of the name."""
    folded = fold(text)
    text_words = {part for word in words(text) for part in (word, word.split("'")[0])}
    return frozenset(
        name
        for name in names
        if any(part in (folded if UNSPACED.fullmatch(part) else text_words) for part in _informative_parts(name))
    )


def strip_names(text: str, names: Iterable[str]) -> str:
    """Remove speakers' names before embedding: with a name, the vector finds greetings of that person."""
    parts = [part for name in names for part in name.split() if len(part) > 1 and fold(part) not in stop_words()]
    if not parts:
        return text
    listed = "|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True))
    bare = re.sub(rf"(?<!\w)(?:{listed})(?:['’]s)?(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(bare.split()) if words(bare) else text


def _words(question: Question, candidates: Sequence[Candidate], weights: Weights) -> list[float]:
    """Score each text by its share of the question's words. Rare words count more."""
    scale = weights.words / max(question.all_words, MIN_SPREAD)
    return [candidate.words * scale for candidate in candidates]


def _vector(candidates: Sequence[Candidate], weights: Weights, spread: SimilarityStats | None) -> list[float]:
    """Score each similarity by its distance from the mean, since the absolute value says nothing."""
    if spread is None:
        return [0.0] * len(candidates)
    scale = weights.vector / max(spread.deviation, MIN_SPREAD)
    return [
        0.0 if candidate.similarity is None else (candidate.similarity - spread.mean) * scale
        for candidate in candidates
    ]


def _surroundings(
    candidates: Sequence[Candidate], own: Sequence[float], weights: Weights
) -> tuple[list[float], list[float]]:
    """Score each candidate by its neighbours and conversation: an answer often shares no word with its question."""
    conversations: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for at, candidate in enumerate(candidates):
        conversations[candidate.conversation].append((candidate.position, candidate.part, at))
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
    """Score texts from the question's time span, or soon after it, when people still talk about it."""
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


def _informative_parts(name: str) -> list[str]:
    return [part for part in words(name) if part not in stop_words()]
