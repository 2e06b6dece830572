"""Claude as a brain: the one place that talks to a model, within a deadline, and translates how that can fail."""

import asyncio
import json
from collections.abc import AsyncGenerator
from math import isfinite
from typing import TYPE_CHECKING, Any

from memory.brain import Block, Delta, Finished, Message, Request, Text, TextDelta, ToolResult, ToolUse
from memory.errors import ModelAway
from memory.settings import Settings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic


class ClaudeBrain:
    def __init__(self, client: "AsyncAnthropic", *, model: str, reply_tokens: int, seconds: float) -> None:
        self._client = client
        self._model = model
        self._reply_tokens = reply_tokens
        self._seconds = seconds

    @property
    def name(self) -> str:
        return self._model

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Stream one answer. The SDK obeys any Retry-After, so a deadline stands around all that we wait for."""
        import anthropic
        import httpx2

        deadline = asyncio.get_running_loop().time() + self._seconds
        call = self._client.messages.stream(model=self._model, max_tokens=self._reply_tokens, **wire(request))
        try:
            async with asyncio.timeout_at(deadline):
                stream = await call.__aenter__()
            try:
                events = aiter(stream)
                while True:
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                    if event is None:
                        break
                    if event.type == "text":
                        yield TextDelta(event.text)
                    elif event.type == "content_block_stop" and event.content_block.type == "tool_use":
                        block = event.content_block
                        yield ToolUse(
                            block.id, block.name, _sendable(block.input) if isinstance(block.input, dict) else {}
                        )
                final = stream.current_message_snapshot
            finally:
                await call.__aexit__(None, None, None)
        except TimeoutError as error:
            raise ModelAway(f"The model took longer than {self._seconds:g} seconds.") from error
        except (anthropic.RateLimitError, anthropic.InternalServerError) as error:
            raise ModelAway("The model is busy just now; please try again in a moment.") from error
        except anthropic.AuthenticationError as error:
            raise ModelAway("ANTHROPIC_API_KEY was refused; please check it.") from error
        except anthropic.APIStatusError as error:
            raise ModelAway(f"The model's server refused the call (status {error.status_code}).") from error
        except (anthropic.APIError, httpx2.HTTPError, json.JSONDecodeError) as error:
            raise ModelAway("The connection to the model broke off.") from error
        if final.stop_reason is None:
            raise ModelAway("The model's answer broke off.")
        yield Finished(final.stop_reason, _usage(final.usage.model_dump()))

    async def close(self) -> None:
        await self._client.close()


def claude(settings: Settings) -> ClaudeBrain:
    """The SDK is imported only here and above: it costs seconds that a start without a key need not pay."""
    from anthropic import AsyncAnthropic

    assert settings.anthropic_api_key is not None
    client = AsyncAnthropic(api_key=settings.anthropic_api_key.get_secret_value(), base_url=settings.anthropic_base_url)
    return ClaudeBrain(client, model=settings.model, reply_tokens=settings.reply_tokens, seconds=settings.model_seconds)


def wire(request: Request) -> dict[str, Any]:
    """Stable first, changing last, so that the prefix can be cached. Four breakpoints: after tools and instructions,
    after what is remembered, after the last finished exchange, and at the end, for the rounds of one loop of tools."""
    system: list[dict[str, Any]] = [
        {"type": "text", "text": text} for text in (request.instructions, request.memory) if text
    ]
    messages = [_wire_message(message) for message in request.messages]
    ends = [request.settled - 1] if request.settled else []
    for block in (*system, *(block for place in (*ends, -1) for block in messages[place]["content"][-1:])):
        block["cache_control"] = {"type": "ephemeral"}
    return {
        "system": system,
        "tools": [{"name": t.name, "description": t.description, "input_schema": t.schema} for t in request.tools],
        "messages": messages,
    }


def _wire_message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": [_wire_block(block) for block in message.blocks]}


def _wire_block(block: Block) -> dict[str, Any]:
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case ToolUse(id, name, arguments):
            return {"type": "tool_use", "id": id, "name": name, "input": dict(arguments)}
        case ToolResult(id, content, is_error):
            return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}


def _sendable(value: Any) -> Any:
    """NaN and its kind are read from a stream, but cannot be sent back."""
    match value:
        case dict():
            return {name: _sendable(item) for name, item in value.items()}
        case list():
            return [_sendable(item) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value


def _usage(counted: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in counted.items() if isinstance(value, int)}
