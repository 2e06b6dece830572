"""Reads the rows of a bundle in one round trip and decrypts the sealed ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.pipeline import pipelined
from db.queries.consolidation import summaries as summary_queries
from db.queries.consolidation.summaries import SummaryRow
from db.queries.events import events as event_queries
from db.queries.events.events import MessageRow
from db.queries.facts import facts as fact_queries
from db.queries.facts import snapshots
from db.queries.facts.facts import FactRow
from db.queries.ledgers import decisions as decision_queries
from db.queries.ledgers import handoffs as handoff_queries
from db.queries.ledgers import tasks as task_queries
from db.queries.ledgers import views as view_queries
from db.queries.ledgers.decisions import DecisionRow
from db.queries.ledgers.handoffs import HandoffRow
from db.queries.ledgers.tasks import TaskRow
from db.queries.ledgers.views import ViewRow
from db.queries.people.people import Choices, choices_of, data_keys
from db.queries.people.spaces import subject_here
from db.vocabulary import ActorType
from memory.consolidation.summaries.summaries import Digest, compose
from memory.events.framing import FRAME_ATTRIBUTES, REPLY_FIELD, frame, speaker_name
from memory.events.record import open_content
from memory.language.spans import Span
from memory.privacy.forgetting.repeats import contains_repeat, find_repeats
from memory.unit import Unit

MAX_CHANGES = 100
MAX_TASKS = 50
MAX_DECISIONS = 60
MAX_UNSHOWN = 100
MAX_EARLIER = 5


@dataclass(frozen=True, slots=True)
class WindowLine:
    """A message of a conversation; `blanks` are the spans that repeat facts deleted since."""

    event_id: str
    by_human: bool
    text: str
    blanks: tuple[Span, ...]
    is_sensitive: bool = False
    frame: str = ""
    """The program's own information about the message, shown before its text."""
    hidden_parts: tuple[str, ...] = ()
    """Content parts, such as a quotation, that the frame omits because they repeat deleted facts."""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class BundleRows:
    choices: Choices
    subject: str
    views: Sequence[ViewRow]
    pinned: Sequence[FactRow]
    changed: Sequence[FactRow]
    hidden: Sequence[FactRow]
    summary: Digest | None
    lines: Sequence[WindowLine]
    tasks: Sequence[TaskRow]
    decisions: Sequence[DecisionRow]
    handoff: HandoffRow | None
    not_gathered: Mapping[str, Sequence[str]]
    """The ids of rows beyond a limit, by reason. A long list is cut to its first ids."""
    facts_at_window_start: Sequence[FactRow] = ()
    """Facts stored or changed since the snapshot was pinned, as of the start of the window."""
    earlier: Sequence[SummaryRow] = ()
    """The latest digests of other conversations made before the start of the window, oldest first."""
    overall: SummaryRow | None = None


async def gather_rows(
    unit: Unit, conversation_id: str, *, window: int, step: int, decided: Sequence[str] = (), agent_id: str = ""
) -> BundleRows:
    viewer, here = unit.viewer, conversation_id
    began = event_queries.window_began(viewer, here, window=window, step=step)
    (
        keys,
        choices,
        subject,
        views,
        pinned,
        unshown,
        changed,
        facts_at_window_start,
        hidden,
        versions,
        earlier,
        open_tasks,
        relevant_decisions,
        handoff,
        messages,
    ) = await pipelined(
        unit.session,
        data_keys,
        lambda session: choices_of(session, viewer),
        lambda session: subject_here(session, viewer),
        lambda session: view_queries.views(session, viewer),
        lambda session: snapshots.pinned_facts(session, viewer, here),
        lambda session: snapshots.unshown_facts(session, viewer, here, limit=MAX_UNSHOWN),
        lambda session: snapshots.facts_changed_since_pinned(session, viewer, here, limit=MAX_CHANGES + 1),
        lambda session: snapshots.facts_changed_before(session, viewer, here, began, limit=MAX_CHANGES),
        lambda session: fact_queries.hidden_versions(session, viewer),
        lambda session: summary_queries.versions_shown(session, viewer, here),
        lambda session: summary_queries.digests_before(session, viewer, here, began, limit=2 * MAX_EARLIER),
        lambda session: task_queries.open_tasks(session, viewer, limit=MAX_TASKS + 1),
        lambda session: decision_queries.relevant_decisions(session, viewer, decided, limit=MAX_DECISIONS + 1),
        lambda session: handoff_queries.latest_for(session, viewer, agent_id),
        # Last, because its answer is the longest.
        lambda session: event_queries.window_messages(session, viewer, here, window=window, step=step),
    )
    unit.vault.preload_keys(keys)
    hidden_facts = await unit.vault.open_rows(hidden)
    newest: dict[tuple[str, str], ViewRow] = {}
    for view in views:
        newest.setdefault((view.name, view.scope), view)
    return BundleRows(
        choices=choices,
        subject=subject,
        views=[view for view in newest.values() if view.content],
        pinned=await unit.vault.open_rows(pinned),
        changed=await unit.vault.open_rows(changed[:MAX_CHANGES]),
        hidden=hidden_facts,
        summary=compose(await unit.vault.open_rows(versions)),
        lines=[await _line(unit, row, hidden_facts) for row in messages],
        tasks=await unit.vault.open_rows(open_tasks[:MAX_TASKS]),
        decisions=await unit.vault.open_rows(relevant_decisions[:MAX_DECISIONS]),
        handoff=handoff,
        not_gathered={
            "no_room_in_snapshot": unshown,
            "more_changes_of_memory": [row.id for row in changed[MAX_CHANGES:]],
            "more_tasks": [row.id for row in open_tasks[MAX_TASKS:]],
            "more_decisions": [row.id for row in relevant_decisions[MAX_DECISIONS:]],
        },
        facts_at_window_start=await unit.vault.open_rows(facts_at_window_start),
        earlier=[row for row in reversed(await unit.vault.open_rows(earlier[:MAX_EARLIER])) if row.digest],
        overall=next((row for row in earlier if row.overall), None),
    )


async def _line(unit: Unit, row: MessageRow, hidden_facts: Sequence[FactRow]) -> WindowLine:
    content = await open_content(unit, row.user, row.event_id, row.content)
    by_human, text = row.actor_type == ActorType.HUMAN, str(content.get("text", ""))
    spans = blanks(text, hidden_facts, row.event_id, by_human=by_human)
    hidden_parts = _parts_to_hide(content, hidden_facts)
    return WindowLine(
        row.event_id,
        by_human,
        text,
        spans,
        is_sensitive="sealed" in row.content,
        frame=frame(content, hidden_parts),
        hidden_parts=hidden_parts,
        speaker=speaker_name(content, by_human, row.actor_id, hidden_parts),
    )


def _parts_to_hide(content: Mapping[str, Any], hidden: Sequence[FactRow]) -> tuple[str, ...]:
    parts = [name for name in (*FRAME_ATTRIBUTES, REPLY_FIELD) if name in content] if hidden else []
    return tuple(name for name in parts if any(contains_repeat(content[name], fact) for fact in hidden))


def blanks(text: str, hidden: Sequence[FactRow], event_id: str | None, *, by_human: bool) -> tuple[Span, ...]:
    """Return the spans that repeat deleted facts. Prompts omit them at once, before the purge."""
    spans = [
        span
        for fact in hidden
        for span in find_repeats(
            text, fact, said_by_human=by_human, is_source=event_id is not None and fact.source_event_id == event_id
        )
    ]
    return tuple(sorted(set(spans)))
