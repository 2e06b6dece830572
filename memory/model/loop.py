"""The agent loop: ask the brain, run the tools it calls, ask again, until it answers."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from memory.context.calls import Call, request_tokens
from memory.language.terms import telling
from memory.model.brain import Began, Brain, Finished, TextDelta, ToolResult, ToolUse
from memory.model.steps import answered, fit_call, fit_result, fit_words, with_room
from memory.model.tools.base import Caller, Tool, run_tool

MOST_ROUNDS = 8
LEAST_ROOM = 50  # tokens for the result of a tool: enough for a receipt

Show = Callable[[str], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Round:
    """What the brain said and called, and what came of it."""

    said: str
    calls: list[ToolUse]
    results: list[ToolResult] = field(default_factory=list)


@dataclass(slots=True)
class LoopResult:
    """What the loop has come to so far; also what there is of it when it breaks off."""

    text: str = ""
    rounds: list[Round] = field(default_factory=list)
    ended: str = "broken off"

    def repeats(self, sensitive: Sequence[str]) -> bool:
        """Whether the answer, or a call of a tool, has a telling word of something sensitive that stood before it."""
        said = telling(f"{self.text} {self.rounds}")
        return any(telling(words) & said for words in sensitive)


async def converse(
    brain: Brain, call: Call, tools: Sequence[Tool], caller: Caller, show: Show, result: LoopResult
) -> None:
    """Run the loop; words are shown as they come, tool calls and their results are kept as rounds. What goes back to
    the model is what is kept: no secret, and the same bytes when the call is rendered again."""
    known = {tool.name: tool for tool in tools}
    request = call.request
    for _ in range(MOST_ROUNDS):
        words, calls, result.ended = "", list[ToolUse](), "broken off"
        async with aclosing(brain.answer(request)) as answer:
            async for delta in answer:
                match delta:
                    case Began():
                        call.began(delta)
                    case TextDelta(text):
                        shown = text if words or not result.text else f"\n\n{text}"  # after tools it begins anew
                        words += text
                        result.text += shown
                        await show(shown)
                    case ToolUse():
                        calls.append(fit_call(delta))
                    case Finished(reason, usage):
                        result.ended = reason
                        call.sent(request, usage)
        if not calls:
            return
        this = Round(fit_words(words), calls)
        result.rounds.append(this)
        for each in calls:
            this.results.append(await run_tool(known, each, caller))
        bare = [ToolResult(each.id, "") for each in calls]
        room = call.most_tokens - request_tokens(request.followed_by(*answered(this.said, calls, bare)))
        if room < LEAST_ROOM * len(calls):
            break
        this.results = with_room(this.results, room)
        request = request.followed_by(*answered(this.said, calls, [fit_result(result) for result in this.results]))
    log.warning("a turn ended after %d rounds of tools", len(result.rounds))
    result.ended = "rounds"
