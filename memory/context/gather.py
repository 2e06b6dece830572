"""Gathers the rows that a bundle is made of, in one round trip, and opens what is sealed in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.pipeline import together
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
from memory.events.framing import ANSWERED, TOLD, frame, speaker
from memory.events.record import open_content
from memory.language.spans import Span
from memory.privacy.forgetting.repeats import holds, places
from memory.unit import Unit

MOST_CHANGES = 100
MOST_TASKS = 50
MOST_DECISIONS = 60
MOST_UNSHOWN = 100
MOST_EARLIER = 5


@dataclass(frozen=True, slots=True)
class WindowLine:
    """One message of a conversation, and where in it something stands that was deleted since."""

    event_id: str
    by_human: bool
    text: str
    blanks: tuple[Span, ...]
    is_sensitive: bool = False
    frame: str = ""
    """What the program knows of it, which the model reads before it."""
    unsaid: tuple[str, ...] = ()
    """Parts of the content, such as what it quotes, that the frame leaves out because they repeat what was deleted."""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
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
    left: Mapping[str, Sequence[str]]
    """What was not gathered, by the reason; of too many things the next one stands for all."""
    stood: Sequence[FactRow] = ()
    """What was stored or changed since the snapshot was pinned, as it stood when the window began."""
    earlier: Sequence[SummaryRow] = ()
    """The last digests of other conversations that were made before the window began, oldest first."""
    overall: SummaryRow | None = None


async def gather(
    unit: Unit, conversation_id: str, *, window: int, step: int, decided: Sequence[str] = (), agent_id: str = ""
) -> Gathered:
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
        stood,
        hidden,
        versions,
        earlier,
        waiting,
        holding,
        handoff,
        messages,
    ) = await together(
        unit.session,
        data_keys,
        lambda session: choices_of(session, viewer),
        lambda session: subject_here(session, viewer),
        lambda session: view_queries.views(session, viewer),
        lambda session: snapshots.pinned_facts(session, viewer, here),
        lambda session: snapshots.unshown_facts(session, viewer, here, limit=MOST_UNSHOWN),
        lambda session: snapshots.facts_changed_since_pinned(session, viewer, here, limit=MOST_CHANGES + 1),
        lambda session: snapshots.facts_changed_before(session, viewer, here, began, limit=MOST_CHANGES),
        lambda session: fact_queries.hidden_versions(session, viewer),
        lambda session: summary_queries.versions_shown(session, viewer, here),
        lambda session: summary_queries.digests_before(session, viewer, here, began, limit=2 * MOST_EARLIER),
        lambda session: task_queries.open_tasks(session, viewer, limit=MOST_TASKS + 1),
        lambda session: decision_queries.relevant_decisions(session, viewer, decided, limit=MOST_DECISIONS + 1),
        lambda session: handoff_queries.latest_for(session, viewer, agent_id),
        # Its answer is the longest, and begins to come when everything is asked.
        lambda session: event_queries.window_messages(session, viewer, here, window=window, step=step),
    )
    unit.vault.know(keys)
    gone = await unit.vault.opened(hidden)
    newest: dict[tuple[str, str], ViewRow] = {}
    for view in views:
        newest.setdefault((view.name, view.scope), view)
    return Gathered(
        choices=choices,
        subject=subject,
        views=[view for view in newest.values() if view.content],
        pinned=await unit.vault.opened(pinned),
        changed=await unit.vault.opened(changed[:MOST_CHANGES]),
        hidden=gone,
        summary=compose(await unit.vault.opened(versions)),
        lines=[await _line(unit, row, gone) for row in messages],
        tasks=await unit.vault.opened(waiting[:MOST_TASKS]),
        decisions=await unit.vault.opened(holding[:MOST_DECISIONS]),
        handoff=handoff,
        left={
            "no_room_in_snapshot": unshown,
            "more_changes_of_memory": [row.id for row in changed[MOST_CHANGES:]],
            "more_tasks": [row.id for row in waiting[MOST_TASKS:]],
            "more_decisions": [row.id for row in holding[MOST_DECISIONS:]],
        },
        stood=await unit.vault.opened(stood),
        earlier=[row for row in reversed(await unit.vault.opened(earlier[:MOST_EARLIER])) if row.digest],
        overall=next((row for row in earlier if row.overall), None),
    )


async def _line(unit: Unit, row: MessageRow, gone: Sequence[FactRow]) -> WindowLine:
    """A message without what was deleted since."""
    content = await open_content(unit, row.user, row.event_id, row.content)
    by_human, text = row.actor_type == ActorType.HUMAN, str(content.get("text", ""))
    spans, unsaid = blanks(text, gone, row.event_id, by_human=by_human), _unsaid(content, gone)
    return WindowLine(
        row.event_id,
        by_human,
        text,
        spans,
        is_sensitive="sealed" in row.content,
        frame=frame(content, unsaid),
        unsaid=unsaid,
        speaker=speaker(content, by_human, row.actor_id, unsaid),
    )


def _unsaid(content: Mapping[str, Any], hidden: Sequence[FactRow]) -> tuple[str, ...]:
    told = [name for name in (*TOLD, ANSWERED) if name in content] if hidden else []
    return tuple(name for name in told if any(holds(content[name], fact) for fact in hidden))


def blanks(text: str, hidden: Sequence[FactRow], event_id: str | None, *, by_human: bool) -> tuple[Span, ...]:
    """Where a text repeats what was deleted: gone from every prompt at once, though its purge is still to come."""
    spans = [
        span
        for fact in hidden
        for span in places(
            text, fact, said_by_human=by_human, is_source=event_id is not None and fact.source_event_id == event_id
        )
    ]
    return tuple(sorted(set(spans)))
