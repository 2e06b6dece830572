"""The `StructuredLLM` protocol: fills in a form from a text, outside of any chat."""

from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from memory.errors import KeepsakeError
from memory.model.usage import CallUsage

T = TypeVar("T", bound=BaseModel)


class StructuredResult(Generic[T]):
    """An answer and the usage of its attempts, including failed ones."""

    def __init__(self) -> None:
        self.answer: T | None = None
        self.attempts: list[CallUsage] = []


class StructuredLLM(Protocol):
    @property
    def name(self) -> str: ...

    async def write(self, instructions: str, text: str, form: type[T], result: StructuredResult[T]) -> T:
        """Return the answer in this form. Raises `ModelAway`, or `AnswerUnfit` for an invalid answer. `result` always
        has the usage."""
        ...

    async def close(self) -> None: ...


def error_summary(error: KeepsakeError) -> str:
    """A short description of an error, free of personal content."""
    return f"{type(error).__name__}: {error}"[:200]
