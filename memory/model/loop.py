"""The agent loop: calls the brain and runs its tool calls, until an answer has none."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from memory.context.calls import ModelCall, request_tokens
from memory.language.terms import key_terms
from memory.model.brain import AnswerStarted, Brain, Finished, TextDelta, ToolResult, ToolUse
from memory.model.steps import limit_results, redact_call, redact_text, render_result, round_messages
from memory.model.tools.base import Caller, Tool, run_tool

MAX_ROUNDS = 8
LEAST_ROOM = 50  # tokens for a tool result: enough for a receipt

Show = Callable[[str], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Round:
    """One answer of the brain that called tools, and their results."""

    text: str
    calls: list[ToolUse]
    results: list[ToolResult] = field(default_factory=list)


@dataclass(slots=True)
class LoopResult:
    """The result of the loop so far, even if it breaks off."""

    text: str = ""
    rounds: list[Round] = field(default_factory=list)
    ended: str = "broken off"

    def repeats_sensitive(self, sensitive: Sequence[str]) -> bool:
        """Return whether the answer or a tool call has a key term of a sensitive text."""
        answer_terms = key_terms(f"{self.text} {self.rounds}")
        return any(key_terms(words) & answer_terms for words in sensitive)


async def run_tool_loop(
    brain: Brain, call: ModelCall, tools: Sequence[Tool], caller: Caller, show: Show, result: LoopResult
) -> None:
    """Run the loop: show text as it arrives, and collect tool calls and results as rounds. The model gets the stored
    form of its calls and their results: redacted, and the same bytes in a replay."""
    tools_by_name = {tool.name: tool for tool in tools}
    request = call.request
    for _ in range(MAX_ROUNDS):
        words, calls, result.ended = "", list[ToolUse](), "broken off"
        async with aclosing(brain.answer(request)) as answer:
            async for delta in answer:
                match delta:
                    case AnswerStarted():
                        call.record_start(delta)
                    case TextDelta(text):
                        shown = text if words or not result.text else f"\n\n{text}"  # a paragraph after tool calls
                        words += text
                        result.text += shown
                        await show(shown)
                    case ToolUse():
                        calls.append(redact_call(delta))
                    case Finished(reason, usage):
                        result.ended = reason
                        call.record_round(request, usage)
        if not calls:
            return
        this_round = Round(redact_text(words), calls)
        result.rounds.append(this_round)
        for tool_call in calls:
            this_round.results.append(await run_tool(tools_by_name, tool_call, caller))
        empty = [ToolResult(tool_call.id, "") for tool_call in calls]
        room = call.most_tokens - request_tokens(request.followed_by(*round_messages(this_round.text, calls, empty)))
        if room < LEAST_ROOM * len(calls):
            break
        this_round.results = limit_results(this_round.results, room)
        request = request.followed_by(
            *round_messages(this_round.text, calls, [render_result(result) for result in this_round.results])
        )
    log.warning("a turn ended after %d rounds of tools", len(result.rounds))
    result.ended = "rounds"
