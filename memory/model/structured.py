"""What writes something in a given form, away from any chat: a `StructuredLLM` gets a text and fills in the form."""

from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from memory.errors import KeepsakeError
from memory.model.usage import Spending

T = TypeVar("T", bound=BaseModel)


class Written(Generic[T]):
    """What came back, and what it took; also when it is of no use."""

    def __init__(self) -> None:
        self.answer: T | None = None
        self.spent: list[Spending] = []


class StructuredLLM(Protocol):
    @property
    def name(self) -> str: ...

    async def write(self, instructions: str, text: str, form: type[T], written: Written[T]) -> T:
        """The answer in this form. Raises `ModelAway`, or `AnswerUnfit` for one that is none; what was spent until then
        stands in `written`."""
        ...

    async def close(self) -> None: ...


def why_not(trouble: KeepsakeError) -> str:
    """In a few words that hold nothing of what was read."""
    return f"{type(trouble).__name__}: {trouble}"[:200]
