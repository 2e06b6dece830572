"""A scripted model for summaries and extractions, with answers of realistic length made of the words of the request."""

import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.language.precheck import may_hold_fact
from memory.language.sentences import sentence_bounds
from memory.metrics import Metrics
from memory.model.vendors import structured_llm_from
from memory.retrieval.embedders.base import Embedder
from memory.settings import Settings
from memory.settings.environment import load_settings
from memory.unit import Memory
from tests.background_jobs import fact, heard
from tests.scripted_model import ScriptedModel, Thought, Writes, words_of

Message = tuple[int, str, str]

MIN_POINTS, MAX_POINTS, MESSAGES_PER_POINT = 2, 4, 5
WORDS_PER_MESSAGE = 11  # a point quotes two messages, and so has about 30 words
DIGEST_WORDS = 14
MAX_FACTS = 2
ASSISTANT, OWN = "assistant", "the person's own"
EARLIER = re.compile(r"^Digests of earlier conversations:\n((?:- .*\n)+)", re.MULTILINE)
END_WITHIN = re.compile(r"[.!?…]+(?=\s|$)")


def background_model(*, finds_facts: bool) -> Thought:
    """Return a scripted model that writes summaries, and with `finds_facts` also extracts facts."""
    return partial(_answer, finds_facts=finds_facts)


def settings_for(model: ScriptedModel, **variables: str) -> Settings:
    """Return settings that use this model's server, and no .env file."""
    environment = {**os.environ, "ANTHROPIC_API_KEY": "bench", "ANTHROPIC_BASE_URL": model.url, **variables}
    return load_settings(environment, Path(os.devnull))


@asynccontextmanager
async def open_passes(memory: Memory, settings: Settings, embedder: Embedder | None = None) -> AsyncIterator[Passes]:
    llm = structured_llm_from(settings)
    assert llm is not None
    try:
        yield Passes(Jobs(memory, settings, llm, FactSimilarity(embedder), Metrics()))
    finally:
        await llm.close()


def _answer(request: dict[str, Any], *, finds_facts: bool) -> Writes:
    messages = heard(request)
    facts = facts_in(messages) if finds_facts else []
    if "points" not in request["output_config"]["format"]["schema"]["properties"]:
        return Writes({"facts": facts})
    first, last = (excerpt(words, DIGEST_WORDS) for _, _, words in (messages[0], messages[-1]))
    digest = f"They spoke of this: {first}; at last: {last}."
    return Writes(
        {"points": points_of(messages), "digest": digest, "overall": overall_of(words_of(request)), "facts": facts}
    )


def points_of(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return two to four points spread over the messages. Each quotes a message and the next one."""
    count = min(max(len(messages) // MESSAGES_PER_POINT, MIN_POINTS), MAX_POINTS, len(messages))
    starts = sorted({number * len(messages) // count for number in range(count)})
    return [_point(messages[start : start + 2]) for start in starts]


def _point(messages: Sequence[Message]) -> dict[str, Any]:
    parts = [f"the {ASSISTANT if who == ASSISTANT else 'user'} said {excerpt(words)}" for _, who, words in messages]
    return {"text": f"In this part {', and '.join(parts)}.", "messages": [number for number, _, _ in messages]}


def overall_of(words: str) -> str:
    """Quote the first and the last digest in the request, if there are any."""
    if not (given := EARLIER.search(words)):
        return ""
    lines = given[1].splitlines()
    return " ".join(f"They came to speak of this: {excerpt(line[2:], DIGEST_WORDS)}." for line in (lines[0], lines[-1]))


def facts_in(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Extract the first sentence that may state a fact, from the first messages that have one."""
    found = [(number, sentence) for number, who, words in messages if who == OWN and (sentence := _statement(words))]
    return [fact(number, sentence) for number, sentence in found[:MAX_FACTS]]


def _statement(words: str) -> str:
    return next((part for start, end in sentence_bounds(words) if may_hold_fact(part := words[start:end].strip())), "")


def excerpt(words: str, limit: int = WORDS_PER_MESSAGE) -> str:
    """Return the first words, without sentence ends."""
    return END_WITHIN.sub(",", " ".join(words.split()[:limit])).rstrip(" ,;:-")
