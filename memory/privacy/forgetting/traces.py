"""Takes what is being forgotten out of the ledgers, where they repeat it or were made of the messages that go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from db.queries.facts.facts import FactRow
from db.queries.ledgers import artifacts as artifact_queries
from db.queries.ledgers import decisions as decision_queries
from db.queries.ledgers import handoffs as handoff_queries
from db.queries.ledgers import tasks as task_queries
from db.queries.ledgers import views as view_queries
from db.queries.ledgers.handoffs import HandoffRow
from memory.language.spans import blanked, word_for_word
from memory.ledgers import artifacts
from memory.privacy.forgetting.repeats import holds, needles, places
from memory.retrieval.chunks import cut_missing
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class DerivedRows:
    """Rows of the ledgers, by their ids."""

    decisions: Sequence[str] = ()
    tasks: Sequence[str] = ()
    artifacts: Sequence[str] = ()
    handoffs: Sequence[str] = ()


async def drop_traces(unit: Unit, row: FactRow, events: Sequence[str]) -> None:
    """Whatever repeats a fact, or was made of events that were blanked because they do."""
    decided = await unit.vault.opened(await decision_queries.own_decisions(unit.session, unit.viewer))
    planned = await unit.vault.opened(await task_queries.own_tasks(unit.session, unit.viewer))
    gone = await _remove(
        unit,
        [each.id for each in decided if holds([each.words, *each.grounds], row)],
        [each.id for each in planned if holds([each.words, each.details], row)],
        events,
    )
    await _blank_artifacts(unit, row)
    await _drop_handoffs(unit, lambda packet: holds(packet.packet, row) or not gone.isdisjoint(packet.refs))
    for view in await view_queries.own_views(unit.session, unit.viewer):
        if spans := places(view.content, row, said_by_human=True):
            await view_queries.rewrite_view(unit.session, unit.viewer, view, blanked(view.content, spans))


async def made_in(unit: Unit, made_then: Callable[[datetime], bool], events: Sequence[str]) -> DerivedRows:
    """What was made in a span of time that is forgotten, or of its events."""
    of = set(events)
    decided = await decision_queries.own_decisions(unit.session, unit.viewer)
    planned = await task_queries.own_tasks(unit.session, unit.viewer)
    kept = await artifact_queries.own_artifacts(unit.session, unit.viewer)
    packets = await handoff_queries.own_handoffs(unit.session, unit.viewer)
    decisions = [each.id for each in decided if made_then(each.ts) or each.event_id in of]
    tasks = [each.id for each in planned if made_then(each.ts) or not of.isdisjoint([each.event_id, *each.refs])]
    files = [name for name, ts, refs in kept if made_then(ts) or not of.isdisjoint(refs)]
    lost = {*decisions, *tasks, *files, *of}
    stale = [packet.id for packet in packets if made_then(packet.ts) or not lost.isdisjoint(packet.refs)]
    return DerivedRows(decisions, tasks, files, stale)


async def drop_made(unit: Unit, made: DerivedRows) -> None:
    await _remove(unit, made.decisions, made.tasks, ())
    await artifact_queries.remove_artifacts(unit.session, unit.viewer, made.artifacts)
    await handoff_queries.remove_handoffs(unit.session, unit.viewer, made.handoffs)


async def _remove(unit: Unit, decided: Sequence[str], planned: Sequence[str], events: Sequence[str]) -> set[str]:
    """Gives the ids of the decisions and tasks that are gone."""
    return {
        *await decision_queries.remove_decisions(unit.session, unit.viewer, decided, of_events=events),
        *await task_queries.remove_tasks(unit.session, unit.viewer, planned, of_events=events),
    }


async def _drop_handoffs(unit: Unit, is_stale: Callable[[HandoffRow], bool]) -> None:
    """A packet copies the words of what it rests on, and goes with it."""
    packets = await handoff_queries.own_handoffs(unit.session, unit.viewer)
    stale = [packet.id for packet in packets if is_stale(packet)]
    await handoff_queries.remove_handoffs(unit.session, unit.viewer, stale)


async def _blank_artifacts(unit: Unit, row: FactRow) -> None:
    """Of a text the words go, of anything else the whole. What is left of a document is found as before."""
    looked_for = [row.id.lower(), *(needles(row.content) if row.content else [])]
    found = await artifact_queries.artifacts_that_may_hold(unit.session, unit.viewer, looked_for)
    rewritten = []
    for each in await artifacts.opened(unit, found):
        text = (each.data or b"").decode(errors="replace")
        spans = [*places(text, row, said_by_human=False), *word_for_word(text, row.id)]
        if holds(each.meta, row) or (spans and not each.is_text):
            await artifact_queries.remove_artifacts(unit.session, unit.viewer, [each.id])
        elif spans:
            left = blanked(text, spans).encode()
            columns = await artifacts.sealed(unit, each.id, left, each.meta, each.sensitivity)
            await artifact_queries.rewrite_artifact(
                unit.session, unit.viewer, each, columns["bytes"], columns["sha256"]
            )
            rewritten.append(each.id)
    if rewritten:
        await cut_missing(unit, rewritten)
