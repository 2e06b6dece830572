"""The scripted model with the prompt cache of the Messages API: it tells what of each request it had read before.

The rules, on the bytes that arrive. A prompt is its blocks in the order tools, system, messages. A block that is marked
caches everything up to its end; at most four may be marked, a fifth is an error, and so is a mark on an empty text. A
request reads the longest prefix that is the same byte for byte and was cached: looked for at each mark, and at up to 19
blocks before it. What is shorter than a minimum is not cached; what is not used for five minutes is gone.

Tokens are counted by a rule of this server's own, whatever the program estimates: a quarter of the bytes of a block's
words, half of them where a word has a digit in it as ids have, rounded up, and four for the block's frame. Next to true
counts that is 1.1 for English chat, 0.8 for ids and 0.7 for JSON.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.scripted_model import Calls, Fails, Says, ScriptedModel, Step, Streams, Thought, Usage, Writes
from tests.scripted_model import words_of as said_in

MAX_MARKS = 4
MINIMUM, TTL, PLACES = 1024, 300.0, 20
BYTES_A_TOKEN, FRAME = 4, 4
WITH_A_DIGIT = re.compile(r"\w*\d\w*")


@dataclass(frozen=True, slots=True)
class Block:
    place: str
    words: str
    tokens: int
    upto: int
    """Tokens of the prompt from its beginning to the end of this block."""
    prefix: str
    """Stands for every byte of the prompt from its beginning to the end of this block."""
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """One request: its blocks, and how many of its tokens were read from the cache, written to it, and neither."""

    blocks: tuple[Block, ...]
    read: int
    written: int
    fresh: int

    @property
    def total(self) -> int:
        return self.read + self.written + self.fresh

    @property
    def settled(self) -> tuple[Block, ...]:
        """What the next turn should send again: all up to the last mark but one."""
        marks = [place for place, block in enumerate(self.blocks) if block.is_marked]
        return self.blocks[: marks[-2] + 1] if len(marks) > 1 else ()


@dataclass
class PrefixCache:
    minimum: int = MINIMUM
    ttl: float = TTL
    now: float = 0.0
    """Seconds; whoever uses it moves the clock."""
    _until: dict[str, float] = field(default_factory=dict)

    def count(self, blocks: tuple[Block, ...]) -> Counted:
        marks = [place for place, block in enumerate(blocks) if block.is_marked and block.upto >= self.minimum]
        looked_at = {place for mark in marks for place in range(max(mark - PLACES + 1, 0), mark + 1)}
        known = [place for place in looked_at if self._until.get(blocks[place].prefix, -1.0) >= self.now]
        read = max((blocks[place].upto for place in known), default=0)
        until = max([read, *(blocks[mark].upto for mark in marks)])
        for place in (*marks, *known):
            self._until[blocks[place].prefix] = self.now + self.ttl
        return Counted(blocks, read, until - read, (blocks[-1].upto if blocks else 0) - until)


def blocks_of(request: dict[str, Any]) -> tuple[Block, ...]:
    placed = [("tools", tool) for tool in request.get("tools", [])]
    placed += zip(("instructions", "memory"), request["system"], strict=False)
    placed += [(each["role"], block) for each in request["messages"] for block in each["content"]]
    blocks, upto, prefix = [], 0, request["model"]
    for place, block in placed:
        bare = {name: value for name, value in block.items() if name != "cache_control"}
        tokens = tokens_of(bare)
        upto += tokens
        prefix = sha256(f"{prefix} {place} {json.dumps(bare, ensure_ascii=False)}".encode()).hexdigest()
        blocks.append(Block(place, words_of(bare), tokens, upto, prefix, "cache_control" in block))
    return tuple(blocks)


def words_of(block: dict[str, Any]) -> str:
    return " ".join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in block.items()
        if name not in {"type", "is_error"}
    )


def tokens_of(block: dict[str, Any]) -> int:
    words = words_of(block)
    size = len(words.encode()) + sum(len(word.encode()) for word in WITH_A_DIGIT.findall(words))
    return -(-size // BYTES_A_TOKEN) + FRAME


def fault_of(blocks: Sequence[Block]) -> str | None:
    """Why the API would not take these blocks."""
    if sum(block.is_marked for block in blocks) > MAX_MARKS:
        return f"A maximum of {MAX_MARKS} blocks with cache_control may be provided."
    if any(block.is_marked and not block.words.strip() for block in blocks):
        return "cache_control cannot be set for empty text blocks."
    return None


@dataclass
class CachingModel(ScriptedModel):
    cache: PrefixCache = field(default_factory=PrefixCache)
    counted: list[Counted] = field(default_factory=list)
    """One for each request of a chat, in the order they came."""
    keeps: Thought | None = None
    """Answers what is asked for in a form, beside the script of the chat."""
    apart: list[Usage] = field(default_factory=list)
    """One for each request that was answered in a form: no part of a chat, and nothing of it is cached."""

    def answer(self, request: dict[str, Any]) -> Step:
        if wants_form(request):
            return self.keeps(request) if self.keeps else super().answer(request)
        return Fails("400") if fault_of(blocks_of(request)) else super().answer(request)

    def usage(self, request: dict[str, Any], step: Step) -> Usage:
        if isinstance(step, Fails | Streams):
            return super().usage(request, step)
        if isinstance(step, Writes):
            self.apart.append(form_usage(request, step))
            return self.apart[-1]
        counted = self.cache.count(blocks_of(request))
        self.counted.append(counted)
        return {
            "input_tokens": counted.fresh,
            "cache_read_input_tokens": counted.read,
            "cache_creation_input_tokens": counted.written,
            "output_tokens": answer_tokens(step),
        }


def wants_form(request: dict[str, Any]) -> bool:
    return "format" in request.get("output_config", {})


def form_usage(request: dict[str, Any], step: Writes) -> Usage:
    asked = ({"text": request["system"]}, {"text": said_in(request)}, request.get("output_config", {}))
    return {
        "input_tokens": sum(map(tokens_of, asked)),
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "output_tokens": answer_tokens(step),
    }


def answer_tokens(step: Says | Calls | Writes) -> int:
    match step:
        case Says(pieces):
            return tokens_of({"text": "".join(pieces)})
        case Calls(tool, arguments):
            return tokens_of({"name": tool, "input": arguments})
        case Writes(answer):
            return tokens_of({"answer": answer})


@dataclass(frozen=True, slots=True)
class Break:
    """A turn that read less than the turn before it had settled: in which place the two differ first, and why."""

    place: str
    cause: str
    lost: int
    before: str
    after: str


WINDOW, MEMORY, OTHER = "window step", "memory changed", "other"
BLANK, SAID, TOLD = "█", {"user", "assistant"}, "<keepsake>"


def broken(before: Counted, after: Counted) -> Break | None:
    """What broke between the first calls of two turns, if anything did."""
    settled = before.settled
    if not settled or after.read >= settled[-1].upto:
        return None
    lost = settled[-1].upto - after.read
    pairs = zip(settled, after.blocks, strict=False)
    place = next((place for place, (old, new) in enumerate(pairs) if old.prefix != new.prefix), None)
    if place is None:
        return Break("nowhere", OTHER, lost, "", "")  # the same bytes, and not in the cache any more
    old, new = settled[place], after.blocks[place]
    return Break(old.place, _cause(old, new, settled, after.blocks), lost, old.words, new.words)


def _cause(old: Block, new: Block, settled: Sequence[Block], blocks: Sequence[Block]) -> str:
    """Where the window moved, that broke the prefix, whatever else moved with it."""
    said = [block.words for block in settled if _is_said(block)]
    first = next((block.words for block in blocks if _is_said(block)), None)
    if first in said[1:] and first != said[0]:
        return WINDOW
    if "memory" in {old.place, new.place} or new.words.count(BLANK) > old.words.count(BLANK):
        return MEMORY
    return OTHER


def _is_said(block: Block) -> bool:
    """Not what the program tells before the window: a summary."""
    return block.place in SAID and not block.words.startswith(TOLD)
