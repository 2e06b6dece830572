"""Claude as a writer of structured answers, away from any chat: asked for a form, and checked on arrival."""

import json
import re
import time
from asyncio import timeout_at
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from memory.errors import AnswerUnfit
from memory.model.brain import Began
from memory.model.claude.client import EXTRACTION_MODEL, ClaudeClient, client_from
from memory.model.claude.retry import Tries
from memory.model.structured import T, Written
from memory.model.usage import Spending, begin, end
from memory.settings import Settings

if TYPE_CHECKING:
    from anthropic.types import Message

MOST_TOKENS = 4096
JSON_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
IN_THIS_FORM = "Answer with one JSON object and nothing else. Its schema:\n{schema}"


class ClaudeStructuredLLM:
    def __init__(self, client: ClaudeClient) -> None:
        self._client = client

    @property
    def name(self) -> str:
        return self._client.model

    async def write(self, instructions: str, text: str, form: type[T], written: Written[T]) -> T:
        tries = Tries(self._client)
        while True:
            async with tries.attempt():
                message = await self._counted(instructions, text, form, written.spent, tries.deadline)
                break
        written.answer = _read(message, form)
        return written.answer

    async def close(self) -> None:
        await self._client.close()

    async def _counted(
        self, instructions: str, text: str, form: type[T], spent: list[Spending], deadline: float
    ) -> "Message":
        """One try, and what it cost."""
        message = None
        begin(spent, Began(self._client.model, time.monotonic()))
        try:
            async with timeout_at(deadline):
                message = await self._ask(instructions, text, form)
        except (ValidationError, AttributeError, TypeError) as error:  # no message at all, for one
            raise AnswerUnfit("The model did not keep to the form.") from error
        else:
            return message
        finally:
            end(spent, None if message is None else _usage(message))

    async def _ask(self, instructions: str, text: str, form: type[T]) -> "Message":
        """A server that does not know forms is told the form in words."""
        asked: dict[str, Any] = {
            "model": self._client.model,
            "max_tokens": MOST_TOKENS,
            "messages": [{"role": "user", "content": text}],
        }
        messages = self._client.sdk.messages
        if self._client.is_plain:
            schema = json.dumps(form.model_json_schema(), ensure_ascii=False)
            message: Message = await messages.create(
                **asked, system=f"{instructions}\n\n{IN_THIS_FORM.format(schema=schema)}"
            )
            return message
        return await messages.parse(**asked, system=instructions, output_format=form)


def _read(message: "Message", form: type[T]) -> T:
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


def _usage(message: "Message") -> Mapping[str, int]:
    usage = message.usage.model_dump() if message.usage else {}
    return {name: value for name, value in usage.items() if type(value) is int}


def claude_structured(settings: Settings) -> ClaudeStructuredLLM:
    return ClaudeStructuredLLM(client_from(settings, settings.extraction_model or EXTRACTION_MODEL))
