"""What answers: a `Brain` gets a request and streams its answer, in words and in calls of tools.

The offline brain and Claude are both brains; the loop in `memory/model/loop.py` does not know which one it talks to.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

AGENT = "keepsake"
"""Under which name the assistant's own words and deeds are written down."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    tool_use_id: str
    content: str
    is_error: bool = False
    most: int | None = None
    """Tokens of it that there is room for, where it is longer."""
    recalled: bool = False
    """Whether it only repeats what is kept; then it is not found again itself."""


Block = Text | ToolUse | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    instructions: str
    memory: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    settled: int = 0
    """How many of the messages are finished exchanges, which the next turn sends again byte for byte."""

    def followed_by(self, *messages: Message) -> "Request":
        return replace(self, messages=(*self.messages, *messages))


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Began:
    """The model has begun to answer: from here on it costs, also when the answer breaks off. A brain that asks again
    says so again."""

    model: str
    asked_at: float
    """By the clock of `time.monotonic`."""
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    """Why the answer ended, and what it cost."""

    reason: str
    """Whoever was cut off says `max_tokens`, whoever would not answer `refusal`; other reasons count as an answer."""
    usage: Mapping[str, int] = field(default_factory=dict)


Delta = Began | TextDelta | ToolUse | Finished


UNREADABLE = "unreadable_arguments"  # stands alone in the arguments of a call that were no JSON


class Brain(Protocol):
    @property
    def name(self) -> str: ...

    def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Stream one answer: words, then tool calls, then exactly one `Finished`. Raises `ModelAway`."""
        ...

    async def close(self) -> None: ...
