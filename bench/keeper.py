"""A scripted record keeper for benchmarks: its answers are as long as a model's, and made of the words that it got."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from memory.language.precheck import tells
from memory.language.sentences import sentences
from tests.scripted_model import Thought, Writes, words_of
from tests.background_jobs import fact, heard

Heard = tuple[int, str, str]

LEAST_POINTS, MOST_POINTS, MESSAGES_A_POINT = 2, 4, 5
OF_EACH = 11  # words of a message, and of the one after it; with those between them a point has some 30
OF_A_DIGEST = 14
MOST_FOUND = 2
ASSISTANT, OWN = "assistant", "the person's own"
EARLIER = re.compile(r"^Digests of earlier conversations:\n((?:- .*\n)+)", re.MULTILINE)
END_WITHIN = re.compile(r"[.!?…]+(?=\s|$)")


def keeper(*, finds: bool) -> Thought:
    """Answers what the passes ask; with `finds` it also finds facts in what people told."""
    return partial(_keep, finds=finds)


def _keep(request: dict[str, Any], *, finds: bool) -> Writes:
    said = heard(request)
    facts = found(said) if finds else []
    if "points" not in request["output_config"]["format"]["schema"]["properties"]:
        return Writes({"facts": facts})
    first, last = (excerpt(words, OF_A_DIGEST) for _, _, words in (said[0], said[-1]))
    digest = f"They spoke of this: {first}; at last: {last}."
    return Writes(
        {"points": points_of(said), "digest": digest, "overall": overall_of(words_of(request)), "facts": facts}
    )


def points_of(said: Sequence[Heard]) -> list[dict[str, Any]]:
    """Two to four points, spread over the messages; each tells a message and the one after it."""
    wanted = min(max(len(said) // MESSAGES_A_POINT, LEAST_POINTS), MOST_POINTS, len(said))
    return [_point(said[place : place + 2]) for place in sorted({at * len(said) // wanted for at in range(wanted)})]


def _point(told: Sequence[Heard]) -> dict[str, Any]:
    parts = [f"the {ASSISTANT if who == ASSISTANT else 'user'} said {excerpt(words)}" for _, who, words in told]
    return {"text": f"In this part {', and '.join(parts)}.", "messages": [number for number, _, _ in told]}


def overall_of(words: str) -> str:
    """Of the first and the last of the digests that are given, if any are."""
    if not (given := EARLIER.search(words)):
        return ""
    lines = given[1].splitlines()
    return " ".join(f"They came to speak of this: {excerpt(line[2:], OF_A_DIGEST)}." for line in (lines[0], lines[-1]))


def found(said: Sequence[Heard]) -> list[dict[str, Any]]:
    """The first sentence that tells something, of the first messages that have one."""
    told = [(number, sentence) for number, who, words in said if who == OWN and (sentence := _telling(words))]
    return [fact(number, sentence) for number, sentence in told[:MOST_FOUND]]


def _telling(words: str) -> str:
    return next((part for start, end in sentences(words) if tells(part := words[start:end].strip())), "")


def excerpt(words: str, most: int = OF_EACH) -> str:
    """The first words, as a part of one sentence."""
    return END_WITHIN.sub(",", " ".join(words.split()[:most])).rstrip(" ,;:-")
