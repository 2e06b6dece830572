"""Tools: an input model, a function, and its caller."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ValidationError

from db.queries.people.people import Choices
from db.viewer import Viewer
from db.vocabulary import Sensitivity
from memory.errors import KeyMissing, Refused
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.language.terms import key_terms
from memory.model.brain import UNREADABLE, ToolResult, ToolSpec, ToolUse
from memory.retrieval.recall import DEADLINE
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory, Unit

AWAY = "The memory can't be reached right now. Ask the user to tell you again later."
NOT_KEPT = "This conversation is private: nothing in it is saved."


@dataclass(slots=True)
class Caller:
    """The context of a tool run: person, message and moment. It collects receipts and cards, and notes sensitive
    content."""

    memory: Memory
    viewer: Viewer
    event_id: str
    message: str
    now: datetime
    choices: Choices
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    orders_used: int = 0
    changes_used: int = 0
    forgets_used: int = 0
    touched_sensitive: bool = False
    conversation_id: str = ""
    citable: frozenset[str] = frozenset()
    """Ids that the model has seen in this turn; it can cite no others."""
    sensitive: tuple[str, ...] = ()
    """Sensitive texts that the model has seen."""
    recalled: set[str] = field(default_factory=set)
    """Ids of the facts that searches found."""
    vectors: VectorIndex | None = None
    recall_deadline: timedelta = DEADLINE
    """The deadline of recall."""
    is_kept: bool = True
    memory_away: bool = False

    def unit(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Unit]:
        return self.memory.unit(self.viewer, now=self.now, read_only=read_only)

    def add_receipt(self, receipt: Receipt) -> str:
        """Collect the receipt, and return its text for the model. Call it after the commit."""
        self.receipts.append(receipt)
        self.touched_sensitive |= receipt.row.sensitivity == Sensitivity.HIGH
        return f"{receipt.kind}: [id:{receipt.row.id}] {receipt.row.words}"

    def add_card(self, card: Card) -> str:
        if all(card.row.id != other.row.id for other in self.cards):
            self.cards.append(card)
        self.touched_sensitive |= card.row.sensitivity == Sensitivity.HIGH
        return "Not done yet: the user is shown a card that asks for it, and answers by themselves. Do not ask again."

    def is_sensitive(self, words: str) -> bool:
        """Return whether a text repeats something sensitive from this turn."""
        terms = key_terms(words)
        return self.touched_sensitive or any(key_terms(text) & terms for text in self.sensitive)


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    input_model: type[BaseModel]
    run: Callable[[Any, Caller], Awaitable[str]]
    writes: bool = True
    """False for a tool that also works in private conversations."""
    recalls: bool = False
    """True if its results repeat stored content."""

    @property
    def spec(self) -> ToolSpec:
        schema = without_titles(self.input_model.model_json_schema())
        return ToolSpec(self.name, schema.pop("description"), schema)


def without_titles(schema: Any) -> Any:
    """Drop the titles of a schema, which repeat names and cost tokens. A field named "title" stays."""
    match schema:
        case dict():
            kept = {name: part for name, part in schema.items() if name != "title" or not isinstance(part, str)}
            return {name: without_titles(part) for name, part in kept.items()}
        case list():
            return [without_titles(part) for part in schema]
        case _:
            return schema


async def run_tool(tools: Mapping[str, Tool], call: ToolUse, caller: Caller) -> ToolResult:
    """Run a tool call. A mistake of the model becomes an error result."""
    tool = tools.get(call.name)
    if tool is None:
        return ToolResult(call.id, f"There is no tool called {call.name!r}.", is_error=True)
    if caller.memory_away:
        return ToolResult(call.id, AWAY, is_error=True)
    if tool.writes and not caller.is_kept:
        return ToolResult(call.id, NOT_KEPT, is_error=True)
    if set(call.arguments) == {UNREADABLE}:
        return ToolResult(
            call.id, "The arguments were not a JSON object, so nothing was done. Call again.", is_error=True
        )
    try:
        output = await tool.run(tool.input_model.model_validate(call.arguments), caller)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors())
        return ToolResult(call.id, f"Wrong arguments: {problems}", is_error=True)
    except (Refused, KeyMissing) as refusal:
        return ToolResult(call.id, str(refusal), is_error=True, refusal=refusal)
    return ToolResult(call.id, output, recalled=tool.recalls)
