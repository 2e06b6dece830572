"""What a tool is: an input model, a function, and the caller it acts for."""

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
from memory.language.terms import telling
from memory.model.brain import UNREADABLE, ToolResult, ToolSpec, ToolUse
from memory.retrieval.recall import DEADLINE
from memory.retrieval.vectors import Vectors
from memory.unit import Memory, Unit

AWAY = "The memory cannot be reached just now; tell the user to say it again later."
NOT_KEPT = "This conversation is private: nothing of it is kept."


@dataclass(slots=True)
class Caller:
    """For whom, when, and on which message of theirs a tool acts. Receipts of what it committed, and cards that it
    made, gather here, and whether anything sensitive passed through."""

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
    shown: frozenset[str] = frozenset()
    """Ids of what the model has seen in this turn, which is all that it can cite."""
    sensitive: tuple[str, ...] = ()
    """Sensitive words that it has seen."""
    recalled: set[str] = field(default_factory=set)
    """Ids of the facts that were looked up."""
    vectors: Vectors | None = None
    patience: timedelta = DEADLINE
    """How long recall may take."""
    keeps: bool = True
    memory_away: bool = False

    def unit(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Unit]:
        return self.memory.unit(self.viewer, now=self.now, read_only=read_only)

    def show_receipt(self, receipt: Receipt) -> str:
        """After the commit: keep the receipt for the user, and tell the model the same."""
        self.receipts.append(receipt)
        self.touched_sensitive |= receipt.row.sensitivity == Sensitivity.HIGH
        return f"{receipt.kind}: [id:{receipt.row.id}] {receipt.row.words}"

    def show_card(self, card: Card) -> str:
        if all(card.row.id != other.row.id for other in self.cards):
            self.cards.append(card)
        self.touched_sensitive |= card.row.sensitivity == Sensitivity.HIGH
        return "Not done yet: the user is shown a card that asks for it, and answers by themselves. Do not ask again."

    def is_sensitive(self, words: str) -> bool:
        """Whether these words repeat something sensitive of this turn, whatever they are by themselves."""
        said = telling(words)
        return self.touched_sensitive or any(telling(each) & said for each in self.sensitive)


@dataclass(frozen=True, slots=True)
class Tool:
    """One that does not write may be used where nothing is kept; one that recalls repeats what is kept already."""

    name: str
    wish: type[BaseModel]
    act: Callable[[Any, Caller], Awaitable[str]]
    writes: bool = True
    recalls: bool = False

    @property
    def spec(self) -> ToolSpec:
        schema = without_titles(self.wish.model_json_schema())
        return ToolSpec(self.name, schema.pop("description"), schema)


def without_titles(schema: Any) -> Any:
    """Titles repeat names, and every call pays for them; a field that is called so stays."""
    match schema:
        case dict():
            kept = {name: part for name, part in schema.items() if name != "title" or not isinstance(part, str)}
            return {name: without_titles(part) for name, part in kept.items()}
        case list():
            return [without_titles(part) for part in schema]
        case _:
            return schema


async def run_tool(known: Mapping[str, Tool], call: ToolUse, caller: Caller) -> ToolResult:
    """Whatever a model gets wrong becomes an error result that it can read, never a crash."""
    tool = known.get(call.name)
    if tool is None:
        return ToolResult(call.id, f"There is no tool called {call.name!r}.", is_error=True)
    if caller.memory_away:
        return ToolResult(call.id, AWAY, is_error=True)
    if tool.writes and not caller.keeps:
        return ToolResult(call.id, NOT_KEPT, is_error=True)
    if set(call.arguments) == {UNREADABLE}:
        return ToolResult(call.id, "The arguments were no JSON object, so nothing was done. Call again.", is_error=True)
    try:
        told = await tool.act(tool.wish.model_validate(call.arguments), caller)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors())
        return ToolResult(call.id, f"Wrong arguments: {problems}", is_error=True)
    except (Refused, KeyMissing) as refusal:
        return ToolResult(call.id, str(refusal), is_error=True)
    return ToolResult(call.id, told, recalled=tool.recalls)
