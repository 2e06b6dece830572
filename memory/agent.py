"""The agent loop: ask the brain, run the tools it calls, ask again, until it answers."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from memory.brain import Block, Brain, Finished, Message, Request, Text, TextDelta, ToolResult, ToolUse
from memory.tools.base import Caller, Tool, run_tool

MOST_ROUNDS = 8

Show = Callable[[str], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Outcome:
    """What one turn of the brain has come to so far; also what there is of it when it breaks off."""

    text: str = ""
    steps: list[ToolUse | ToolResult] = field(default_factory=list)
    usage: list[Mapping[str, int]] = field(default_factory=list)
    ended: str = "broken off"


async def converse(
    brain: Brain, request: Request, tools: Sequence[Tool], caller: Caller, show: Show, outcome: Outcome
) -> None:
    """Run the loop; words are shown as they come, tool calls and their results are kept as steps."""
    known = {tool.name: tool for tool in tools}
    for _ in range(MOST_ROUNDS):
        words, calls, outcome.ended = "", [], "broken off"
        async with aclosing(brain.answer(request)) as answer:
            async for delta in answer:
                match delta:
                    case TextDelta(text):
                        words += text
                        outcome.text += text
                        await show(text)
                    case ToolUse():
                        calls.append(delta)
                    case Finished(reason, usage):
                        outcome.ended = reason
                        outcome.usage.append(usage)
        if not calls:
            return
        results = []
        for call in calls:
            results.append(await run_tool(known, call, caller))
            outcome.steps += [call, results[-1]]
        said: list[Block] = [Text(words)] if words else []
        request = request.followed_by(Message("assistant", (*said, *calls)), Message("user", tuple(results)))
    log.warning("a turn ended after %d rounds of tools", MOST_ROUNDS)
    outcome.ended = "rounds"
