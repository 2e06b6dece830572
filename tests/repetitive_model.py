"""A model that repeats, echoes and invents: whatever stands before it, it proposes again in changing words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from typing import Any

from tests.background_jobs import fact, heard
from tests.scripted_model import Calls, Says, Step, Writes

ADD, UPDATE, SEARCH = "add_to_memory", "update_memory", "search_memory"
LIES = ("I adore the opera", "The user moved to Madrid in spring", "My brother Tom is a pilot", "I sold my bicycle")
SYNONYMS = {
    "like": "enjoy",
    "called": "named",
    "live": "reside",
    "work": "serve",
    "failed": "flunked",
    "play": "perform",
}


def rewordings(words: str) -> Iterator[str]:
    """How this model puts it again, and again."""
    bare = words.rstrip(".!?")
    other = " ".join(SYNONYMS.get(word, word) for word in bare.split())
    third = re.sub(r"^I\b", "The user", re.sub(r"\b[Mm]y\b", "the user's", bare))
    return iter((third, f"{bare} a lot, the user", other, f"User: {other}", bare, f"It is true that {third}"))


@dataclass
class Liar:
    """Proposes in every call what stands before it, whoever said it, and what nobody did."""

    message: str = ""
    turn: Iterator[int] = field(default_factory=count)
    lies: Iterator[str] = field(default_factory=lambda: cycle(LIES))
    said: str = "Good morning."
    wishes: list[Calls] = field(default_factory=list)

    def answer(self, request: dict[str, Any]) -> Step:
        if "tools" not in request:
            return self._record(request)
        results = len([block for block in _blocks(request) if block["type"] == "tool_result"])
        if results == 0:
            self.wishes = list(self._wishes("\n".join(_texts(request))))
        if results < len(self.wishes):
            return self.wishes[results]
        return Says((self.said,))

    def _wishes(self, prompt: str) -> Iterator[Calls]:
        """Three tools a turn, and words for the reply that pass its own wishes for known."""
        number = next(self.turn)
        known = re.findall(r"- \[id:(\w{8})\] (?:\[[^]]*\] )?(.*)", prompt)
        recalled = re.findall(r"- \[chk_\S+\] \S+ [^:]*: (.*)", prompt)
        lie = next(self.lies)
        claims = [lie, *(words for _, words in known), *recalled, self.said, self.message]
        claim = claims[number % len(claims)]
        again = list(rewordings(claim))[number % 6]
        yield _add(list(rewordings(self.message))[number % 6])
        if number % 2 or not known:
            yield _add(again, separate=number % 4 == 1)
        else:
            id, words = known[number % len(known)]
            changed = (lie, again, list(rewordings(words))[(number + 1) % 6], f"{words} no longer")[number // 2 % 4]
            yield Calls(UPDATE, {"memory_id": id, "content": changed})
        if number % 5 == 0:
            yield Calls(SEARCH, {"query": claim})
        self.said = f"As you told me: {again}. {lie}. {self.message}"

    def _record(self, request: dict[str, Any]) -> Writes:
        number = next(self.turn)
        said = heard(request)
        own = [(at, words) for at, who, words in said if who == "the person's own"]
        theirs = [(at, words) for at, who, words in said if who == "assistant"]
        known = re.findall(r"- \[id:(\w{8})\] (.*)", str(request["messages"][0]["content"]))
        ids = [id for id, _ in known]
        found = []
        for at, words in own:
            for again in list(rewordings(words))[number % 3 : number % 3 + 3]:
                found.append(fact(at, words.rstrip("."), again, attribute=_attribute(words)))
            found.append(fact(at, words, changes=ids[number % len(ids)] if ids else None))
            found.append(fact(at, next(self.lies)))
            found += [fact(at, echo[:200]) for _, echo in (*theirs[:2], *known)]
            found += [fact(at, words, f"{echo} no longer", changes=id) for id, echo in known]
        found += [fact(at, words[:200]) for at, words in theirs]
        points = [{"text": words, "messages": [at]} for at, _, words in said[:4]]
        if "points" in str(request.get("output_config", request)):
            return Writes({"points": points, "digest": said[0][2], "overall": "", "facts": found})
        return Writes({"facts": found})


def _add(content: str, *, separate: bool = False) -> Calls:
    wish = {"content": content[:400], "category": "other", "separate": separate, "attribute": _attribute(content)}
    return Calls(ADD, wish)


def _attribute(words: str) -> str | None:
    return "location" if re.search(r"\b(I|user) (live|reside) in", words) else None


def _blocks(request: dict[str, Any]) -> list[dict[str, Any]]:
    said = [message["content"] for message in request["messages"] if not isinstance(message["content"], str)]
    return [block for content in said for block in content]


def _texts(request: dict[str, Any]) -> list[str]:
    system = request.get("system", [])
    blocks = [*(system if isinstance(system, list) else [{"type": "text", "text": system}]), *_blocks(request)]
    return [block["text"] for block in blocks if block["type"] == "text"]
