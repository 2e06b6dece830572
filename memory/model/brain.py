"""The `Brain` protocol and its messages: a brain gets a request and streams its answer as text and tool calls.

Claude and the offline brain implement it; the loop in `memory/model/loop.py` works with either.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from memory.errors import CodedError

AGENT = "keepsake"
"""The actor id of the assistant's own events."""


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
    """The limit in tokens, for a result that is too long."""
    recalled: bool = False
    """True if it only repeats stored content. It is then not recalled itself."""
    refusal: CodedError | None = field(default=None, compare=False, repr=False)
    """The tool's refusal, for a brain in this process. It is neither stored nor sent."""


Block = Text | ToolUse | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as described to a model."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    instructions: str
    memory: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    stable_messages: int = 0
    """The number of messages in finished exchanges. The next turn sends them again byte for byte."""

    def followed_by(self, *messages: Message) -> "Request":
        return replace(self, messages=(*self.messages, *messages))


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """The model has started to answer. From now on the call costs, even if it breaks off. Sent for each attempt."""

    model: str
    started_at: float
    """A time of `time.monotonic`."""
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer: its reason and usage."""

    reason: str
    """`max_tokens` if it was cut off, `refusal` if the model refused; anything else is a complete answer."""
    usage: Mapping[str, int] = field(default_factory=dict)


Delta = AnswerStarted | TextDelta | ToolUse | Finished


UNREADABLE = "unreadable_arguments"  # the only argument of a tool call whose arguments were not valid JSON


class Brain(Protocol):
    @property
    def name(self) -> str: ...

    def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Stream one answer: text, then tool calls, then exactly one `Finished`. Raises `ModelAway`."""
        ...

    async def close(self) -> None: ...
