"""The agent loop: ask the brain, run the tools it calls, ask again, until it answers."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.brain import Block, Brain, Finished, Message, Request, Text, TextDelta, ToolResult, ToolUse
from memory.tools.base import Caller, Tool, run_tool

MOST_ROUNDS = 8

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Outcome:
    """What one turn of the brain came to."""

    text: str = ""
    steps: list[ToolUse | ToolResult] = field(default_factory=list)
    usage: list[Mapping[str, int]] = field(default_factory=list)
    ended: str = ""


async def converse(
    brain: Brain,
    request: Request,
    tools: Sequence[Tool],
    caller: Caller,
    show: Callable[[str], Awaitable[None]],
) -> Outcome:
    """Run the loop; words are shown as they come, tool calls and their results are kept as steps."""
    outcome = Outcome()
    known = {tool.name: tool for tool in tools}
    for _ in range(MOST_ROUNDS):
        said: list[Block] = []
        async for delta in brain.answer(request):
            match delta:
                case TextDelta(text):
                    said.append(Text(text))
                    outcome.text += text
                    await show(text)
                case ToolUse():
                    said.append(delta)
                case Finished(reason, usage):
                    outcome.ended = reason
                    outcome.usage.append(usage)
        calls = [block for block in said if isinstance(block, ToolUse)]
        if not calls:
            return outcome
        results = [await run_tool(known, call, caller) for call in calls]
        for call, result in zip(calls, results, strict=True):
            outcome.steps += [call, result]
        request = request.followed_by(Message("assistant", tuple(said)), Message("user", tuple(results)))
    log.warning("a turn ended after %d rounds of tools", MOST_ROUNDS)
    outcome.ended = "rounds"
    return outcome
