"""Asks a model for something written in a given form, away from any chat: within a deadline, and checked on arrival."""

import asyncio
import json
import logging
import re
import time
from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from memory.brain import Began
from memory.errors import AnswerUnfit, KeepsakeError
from memory.llm import client_of
from memory.model_trouble import backoff, failures, knows_no_extras, told
from memory.settings import Settings
from memory.usage import Spending, begin, end

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

T = TypeVar("T", bound=BaseModel)

MOST_TOKENS = 4096
JSON_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
IN_THIS_FORM = "Answer with one JSON object and nothing else. Its schema:\n{schema}"

log = logging.getLogger(__name__)


class Written(Generic[T]):
    """What came back, and what it took; also when it is of no use."""

    def __init__(self) -> None:
        self.answer: T | None = None
        self.spent: list[Spending] = []


class Scribe(Protocol):
    @property
    def name(self) -> str: ...

    async def write(self, instructions: str, text: str, form: type[T], written: Written[T]) -> T:
        """The answer in this form. Raises `ModelAway`, or `AnswerUnfit` for one that is none; what was spent until then
        stands in `written`."""
        ...

    async def close(self) -> None: ...


class ClaudeScribe:
    def __init__(self, client: "AsyncAnthropic", *, model: str, seconds: float) -> None:
        self._client = client
        self._model = model
        self._seconds = seconds
        self._plainly = False

    @property
    def name(self) -> str:
        return self._model

    async def write(self, instructions: str, text: str, form: type[T], written: Written[T]) -> T:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._seconds
        for attempt in count():
            begin(written.spent, Began(self._model, time.monotonic()))
            try:
                async with asyncio.timeout_at(deadline):
                    message = await self._ask(instructions, text, form)
            except (ValidationError, AttributeError, TypeError) as error:  # no message at all, for one
                end(written.spent)
                raise AnswerUnfit("The model did not keep to the form.") from error
            except failures() as error:
                end(written.spent)
                if not self._plainly and knows_no_extras(error):
                    self._plainly = True
                    continue
                trouble = told(error, self._seconds)
                wait = backoff(attempt) if trouble.wait is None else trouble.wait
                if not trouble.passes or loop.time() + wait >= deadline:
                    raise trouble.away from error
                await asyncio.sleep(wait)
            else:
                end(written.spent, _counted(message))
                written.answer = self._read(message, form)
                return written.answer
        raise AssertionError("it ends by an answer or an error")

    async def close(self) -> None:
        await self._client.close()

    async def _ask(self, instructions: str, text: str, form: type[T]) -> "Message":
        """A server that does not know forms is told the form in words."""
        asked: dict[str, Any] = {
            "model": self._model,
            "max_tokens": MOST_TOKENS,
            "messages": [{"role": "user", "content": text}],
        }
        if self._plainly:
            schema = json.dumps(form.model_json_schema(), ensure_ascii=False)
            message: Message = await self._client.messages.create(
                **asked, system=f"{instructions}\n\n{IN_THIS_FORM.format(schema=schema)}"
            )
            return message
        return await self._client.messages.parse(**asked, system=instructions, output_format=form)

    def _read(self, message: "Message", form: type[T]) -> T:
        """What was cut off or refused is no answer, even where what there is of it could be read."""
        if message.stop_reason not in {"end_turn", "stop_sequence", None}:
            raise AnswerUnfit("The model ended with: {reason}.", reason=message.stop_reason)
        answer = getattr(message, "parsed_output", None)
        if isinstance(answer, form):
            return answer
        words = "".join(block.text for block in message.content if block.type == "text")
        found = JSON_OBJECT.search(words)
        try:
            return form.model_validate_json(found[0] if found else "")
        except ValidationError as error:
            raise AnswerUnfit("The model did not keep to the form.") from error


def scribe_from(settings: Settings) -> Scribe | None:
    """Without a key there is nobody to ask."""
    if settings.anthropic_api_key is None:
        return None
    return ClaudeScribe(client_of(settings), model=settings.extraction_model, seconds=settings.model_seconds)


def why_not(trouble: KeepsakeError) -> str:
    """In a few words that hold nothing of what was read."""
    return f"{type(trouble).__name__}: {trouble}"[:200]


def _counted(message: "Message") -> Mapping[str, int]:
    usage = message.usage.model_dump() if message.usage else {}
    return {name: value for name, value in usage.items() if type(value) is int}
