"""The items of a bundle. Each has a text, its tokens, its sources, and a reference for rebuilding it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from db.queries.consolidation.summaries import SummaryRow
from db.queries.facts.facts import FactRow
from db.queries.ledgers.decisions import DecisionRow
from db.queries.ledgers.handoffs import HandoffRow
from db.queries.ledgers.tasks import TaskRow
from db.queries.ledgers.views import ViewRow
from db.vocabulary import TaskStatus, Visibility
from memory.context.fencing import fenced, one_line
from memory.language.spans import Span, blank_out
from memory.ledgers.handoff import packet_line
from memory.model.tokens import estimate, shorten

FRAME = 4


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    refs: tuple[str, ...]
    row: Mapping[str, Any] = field(hash=False)
    """Identifies the source row, without any of its content."""
    tokens: int = field(init=False)
    """Includes the line end or message framing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", estimate(self.text) + FRAME)

    def cut_to(self, tokens: int) -> "Item":
        """Return the item truncated to `tokens`. Its row records the truncation."""
        return Item(shorten(self.text, tokens - FRAME), self.refs, {**self.row, "cut_to": tokens})

    @property
    def is_cut(self) -> bool:
        return "cut_to" in self.row


def view_item(view: ViewRow) -> Item:
    row = {"view": view.name, "scope": view.scope, "version": view.version, "user": view.owner, "space": view.space}
    return Item(fenced(view.content), (f"view:{view.name}.{view.scope}@{view.version}",), row)


def space_item(subject: str) -> Item:
    return Item(f"This space is about: {one_line(subject)}", ("space",), {"subject": True})


def fact_item(fact: FactRow) -> Item:
    return Item(fact_line(fact), (fact.id,), {"fact": fact.id, "version": fact.version, "category": fact.category})


def fact_line(fact: FactRow) -> str:
    about = f"[{one_line(fact.subject)}] " if fact.subject else ""
    shared = " (shared)" if fact.visibility == Visibility.SHARED else ""
    return f"- [id:{fact.id}] {about}{one_line(fact.words)}{shared}"


def words_in(fact: Item) -> str:
    """Return the words of a fact item, without the rest of its line."""
    return fact.text.partition("] ")[2].removesuffix(" (shared)")


def message_item(
    event_id: str,
    by_human: bool,
    text: str,
    blanks: Sequence[Span],
    most: int | None = None,
    *,
    frame: str = "",
    hidden_parts: Sequence[str] = (),
    speaker: str = "",
) -> Item:
    """Return a message without the blanked spans. Beyond `most` tokens it is truncated in the middle. In a transcript
    its speaker comes first."""
    row: dict[str, Any] = {"event": event_id, "by_human": by_human, "blanks": [list(span) for span in blanks]}
    row |= {"unsaid": list(hidden_parts)} if hidden_parts else {}
    row |= {"named": True} if speaker else {}
    item = Item((f"{speaker}: " if speaker else frame) + fenced(blank_out(text, list(blanks))), (event_id,), row)
    return item if most is None or item.tokens <= most + FRAME else item.cut_to(most + FRAME)


def evidence_item(
    chunk_id: str,
    source_id: str,
    part: int,
    speaker: str,
    ts: datetime,
    text: str,
    blanks: Sequence[Span],
    *,
    superseded: bool,
    whole: str | None = None,
) -> Item:
    """Return a recalled chunk. Its text marks superseded content, and an excerpt names its artifact."""
    row = {"chunk": chunk_id, "source": source_id, "part": part, "blanks": [list(span) for span in blanks]}
    words = one_line(blank_out(text, list(blanks)))
    note = " (superseded since)" if superseded else ""
    of = f" of {whole}" if whole else ""
    return Item(
        f"- [{chunk_id}{of}] {ts:%Y-%m-%d} {one_line(speaker)}{note}: {words}",
        (chunk_id, source_id, *([whole] if whole else [])),
        {**row, **({"superseded": True} if superseded else {}), **({"whole": whole} if whole else {})},
    )


def decision_item(row: DecisionRow) -> Item:
    grounds = "".join(
        f" {name}: {'; '.join(map(one_line, reasons))}."
        for name, reasons in (("Because", row.rationale), ("Constraints", row.constraints))
        if reasons
    )
    text = f"- [{row.id}] {row.ts:%Y-%m-%d} ({row.scope}) {one_line(row.words)}{grounds}"
    return Item(text, (row.id, *row.refs), {"decision": row.id})


def task_item(row: TaskRow) -> Item:
    return task_line(row.id, row.status, row.due, row.words, row.details, row.refs, row.event_id)


def task_line(
    id: str,
    status: TaskStatus,
    due: date | None,
    title: str,
    details: str,
    refs: Sequence[str],
    event_id: str | None,
) -> Item:
    """Return a task in its present state. The row records the state, because it will change."""
    until = f", due {due.isoformat()}" if due else ""
    more = f": {one_line(details)}" if details else ""
    row = {"task": id, "status": status, "due": due.isoformat() if due else None, "event": event_id}
    return Item(f"- [{id}] ({status}{until}) {one_line(title)}{more}", (id, *refs), row)


def handoff_item(row: HandoffRow) -> Item:
    return Item(packet_line(row.from_agent, row.packet), (row.id, *row.refs), {"handoff": row.id})


def summary_item(summary_id: str, text: str, blanks: Sequence[Span] = ()) -> Item:
    """Return one version of this conversation's digest, without the blanked spans."""
    row = {"summary": summary_id, **({"blanks": [list(span) for span in blanks]} if blanks else {})}
    return Item(fenced(blank_out(text, list(blanks))), (summary_id,), row)


def digest_item(row: SummaryRow) -> Item:
    """Return the digest of another conversation, with the day of the summary."""
    return Item(f"- {row.created_at:%Y-%m-%d}: {one_line(row.digest or '')}", (row.id,), {"digest": row.id})


def overall_item(row: SummaryRow) -> Item:
    topics = f" Topics: {one_line(', '.join(row.topics))}." if row.topics else ""
    return Item(f"- In all: {one_line(row.overall or '')}{topics}", (row.id,), {"overall": row.id})
