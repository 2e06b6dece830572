"""Removes ledger rows that repeat a forgotten fact or that derive from forgotten messages."""

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
from memory.language.spans import blank_out, verbatim_spans
from memory.ledgers import artifacts
from memory.privacy.forgetting.repeats import contains_repeat, find_repeats, needles
from memory.retrieval.chunks import chunk_missing
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class LedgerIds:
    """Ids of rows in each ledger."""

    decisions: Sequence[str] = ()
    tasks: Sequence[str] = ()
    artifacts: Sequence[str] = ()
    handoffs: Sequence[str] = ()


async def remove_ledger_repeats(unit: Unit, row: FactRow, events: Sequence[str]) -> None:
    """Remove or blank every ledger row that repeats a fact or derives from one of the blanked `events`."""
    decisions = await unit.vault.open_rows(await decision_queries.own_decisions(unit.session, unit.viewer))
    tasks = await unit.vault.open_rows(await task_queries.own_tasks(unit.session, unit.viewer))
    gone = await _remove_decisions_and_tasks(
        unit,
        [each.id for each in decisions if contains_repeat([each.words, *each.grounds], row)],
        [each.id for each in tasks if contains_repeat([each.words, each.details], row)],
        events,
    )
    await _blank_artifacts(unit, row)
    await _drop_handoffs(unit, lambda packet: contains_repeat(packet.packet, row) or not gone.isdisjoint(packet.refs))
    for view in await view_queries.own_views(unit.session, unit.viewer):
        if spans := find_repeats(view.content, row, said_by_human=True):
            await view_queries.rewrite_view(unit.session, unit.viewer, view, blank_out(view.content, spans))


async def find_ledger_rows(unit: Unit, is_in_span: Callable[[datetime], bool], events: Sequence[str]) -> LedgerIds:
    """Find the viewer's ledger rows that were made in a time span or that derive from its events."""
    sources = set(events)
    own_decisions = await decision_queries.own_decisions(unit.session, unit.viewer)
    own_tasks = await task_queries.own_tasks(unit.session, unit.viewer)
    own_artifacts = await artifact_queries.own_artifacts(unit.session, unit.viewer)
    own_handoffs = await handoff_queries.own_handoffs(unit.session, unit.viewer)
    decisions = [row.id for row in own_decisions if is_in_span(row.ts) or row.event_id in sources]
    tasks = [row.id for row in own_tasks if is_in_span(row.ts) or not sources.isdisjoint([row.event_id, *row.refs])]
    artifact_ids = [id for id, ts, refs in own_artifacts if is_in_span(ts) or not sources.isdisjoint(refs)]
    lost = {*decisions, *tasks, *artifact_ids, *sources}
    handoffs = [row.id for row in own_handoffs if is_in_span(row.ts) or not lost.isdisjoint(row.refs)]
    return LedgerIds(decisions, tasks, artifact_ids, handoffs)


async def remove_ledger_rows(unit: Unit, ids: LedgerIds) -> None:
    await _remove_decisions_and_tasks(unit, ids.decisions, ids.tasks, ())
    await artifact_queries.remove_artifacts(unit.session, unit.viewer, ids.artifacts)
    await handoff_queries.remove_handoffs(unit.session, unit.viewer, ids.handoffs)


async def _remove_decisions_and_tasks(
    unit: Unit, decisions: Sequence[str], tasks: Sequence[str], events: Sequence[str]
) -> set[str]:
    """Remove these rows and those of the events. Returns the ids that are gone."""
    return {
        *await decision_queries.remove_decisions(unit.session, unit.viewer, decisions, of_events=events),
        *await task_queries.remove_tasks(unit.session, unit.viewer, tasks, of_events=events),
    }


async def _drop_handoffs(unit: Unit, is_stale: Callable[[HandoffRow], bool]) -> None:
    """Remove handoffs whose packet copies forgotten words."""
    packets = await handoff_queries.own_handoffs(unit.session, unit.viewer)
    stale = [packet.id for packet in packets if is_stale(packet)]
    await handoff_queries.remove_handoffs(unit.session, unit.viewer, stale)


async def _blank_artifacts(unit: Unit, row: FactRow) -> None:
    """Blank the words in text artifacts; remove other artifacts that repeat the fact."""
    search_terms = [row.id.lower(), *(needles(row.content) if row.content else [])]
    found = await artifact_queries.artifacts_that_may_hold(unit.session, unit.viewer, search_terms)
    rewritten = []
    for each in await artifacts.open_rows(unit, found):
        text = (each.data or b"").decode(errors="replace")
        spans = [*find_repeats(text, row, said_by_human=False), *verbatim_spans(text, row.id)]
        if contains_repeat(each.meta, row) or (spans and not each.is_text):
            await artifact_queries.remove_artifacts(unit.session, unit.viewer, [each.id])
        elif spans:
            left = blank_out(text, spans).encode()
            columns = await artifacts.content_columns(unit, each.id, left, each.meta, each.sensitivity)
            await artifact_queries.rewrite_artifact(
                unit.session, unit.viewer, each, columns["bytes"], columns["sha256"]
            )
            rewritten.append(each.id)
    if rewritten:
        await chunk_missing(unit, rewritten)
