"""Claude as a `StructuredLLM`: asks for an answer in a form and validates it."""

import json
import re
import time
from asyncio import timeout_at
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from memory.errors import AnswerUnfit
from memory.model.brain import AnswerStarted
from memory.model.claude.client import EXTRACTION_MODEL, ClaudeClient, client_from
from memory.model.claude.retry import RetryLoop
from memory.model.structured import StructuredResult, T
from memory.model.usage import CallUsage, begin_call, end_call
from memory.refusals import Refusal
from memory.settings import Settings

if TYPE_CHECKING:
    from anthropic.types import Message

MAX_TOKENS = 4096
JSON_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
FORM_INSTRUCTIONS = "Answer with one JSON object and nothing else. Its schema:\n{schema}"


class ClaudeStructuredLLM:
    def __init__(self, client: ClaudeClient) -> None:
        self._client = client

    @property
    def name(self) -> str:
        return self._client.model

    async def write(self, instructions: str, text: str, form: type[T], result: StructuredResult[T]) -> T:
        retries = RetryLoop(self._client)
        while True:
            async with retries.attempt():
                message = await self._attempt(instructions, text, form, result.attempts, retries.deadline)
                break
        result.answer = _read(message, form)
        return result.answer

    async def close(self) -> None:
        await self._client.close()

    async def _attempt(
        self, instructions: str, text: str, form: type[T], attempts: list[CallUsage], deadline: float
    ) -> "Message":
        """Make one attempt and record its usage."""
        message = None
        begin_call(attempts, AnswerStarted(self._client.model, time.monotonic()))
        try:
            async with timeout_at(deadline):
                message = await self._ask(instructions, text, form)
        except (ValidationError, AttributeError, TypeError) as error:  # for example no message at all
            raise AnswerUnfit(Refusal.ANSWER_MALFORMED) from error
        else:
            return message
        finally:
            end_call(attempts, None if message is None else _usage(message))

    async def _ask(self, instructions: str, text: str, form: type[T]) -> "Message":
        """Ask for the form. A server without structured outputs gets the schema in the instructions."""
        parameters: dict[str, Any] = {
            "model": self._client.model,
            "max_tokens": MAX_TOKENS,
            "messages": [{"role": "user", "content": text}],
        }
        messages = self._client.sdk.messages
        if self._client.omits_extras:
            schema = json.dumps(form.model_json_schema(), ensure_ascii=False)
            message: Message = await messages.create(
                **parameters, system=f"{instructions}\n\n{FORM_INSTRUCTIONS.format(schema=schema)}"
            )
            return message
        return await messages.parse(**parameters, system=instructions, output_format=form)


def _read(message: "Message", form: type[T]) -> T:
    """Parse and validate an answer. A cut-off or refused answer is invalid, even if it parses."""
    if message.stop_reason not in {"end_turn", "stop_sequence", None}:
        raise AnswerUnfit(Refusal.ANSWER_CUT_OFF, reason=message.stop_reason)
    answer = getattr(message, "parsed_output", None)
    if isinstance(answer, form):
        return answer
    words = "".join(block.text for block in message.content if block.type == "text")
    found = JSON_OBJECT.search(words)
    try:
        return form.model_validate_json(found[0] if found else "")
    except ValidationError as error:
        raise AnswerUnfit(Refusal.ANSWER_MALFORMED) from error


def _usage(message: "Message") -> Mapping[str, int]:
    usage = message.usage.model_dump() if message.usage else {}
    return {name: value for name, value in usage.items() if type(value) is int}


def claude_structured(settings: Settings) -> ClaudeStructuredLLM:
    return ClaudeStructuredLLM(client_from(settings, settings.extraction_model or EXTRACTION_MODEL))
