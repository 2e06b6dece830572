"""Takes what is being forgotten out of the ledgers, where they repeat it or were made of the messages that go."""

from collections.abc import Callable, Sequence
from datetime import datetime

from db.queries import artifacts as artifact_queries
from db.queries import decisions as decision_queries
from db.queries import handoffs as handoff_queries
from db.queries import tasks as task_queries
from db.queries import views as view_queries
from db.queries.facts import FactRow
from db.queries.handoffs import HandoffRow
from memory import artifacts, decisions, tasks
from memory.chunks import cut_missing
from memory.privacy.repeats import blanked, needles, places, word_for_word
from memory.unit import Unit


def holds(content: object, row: FactRow) -> bool:
    """Whether any text in a content repeats the fact."""
    match content:
        case str():
            return row.id in content or bool(places(content, row, said_by_human=False))
        case dict():
            return any(holds(part, row) for part in content.values())
        case list() | tuple():
            return any(holds(part, row) for part in content)
        case _:
            return False


async def drop_traces(unit: Unit, row: FactRow, events: Sequence[str]) -> None:
    """Whatever repeats a fact, or was made of events that were blanked because they do."""
    decided = await decisions.opened(unit, await decision_queries.own_decisions(unit.session, unit.viewer))
    planned = await tasks.opened(unit, await task_queries.own_tasks(unit.session, unit.viewer))
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


async def drop_made(unit: Unit, made_then: Callable[[datetime], bool], events: Sequence[str]) -> None:
    """What was made in a span of time that is forgotten, or of its events."""
    decided = await decision_queries.own_decisions(unit.session, unit.viewer)
    planned = await task_queries.own_tasks(unit.session, unit.viewer)
    gone = await _remove(
        unit,
        [each.id for each in decided if made_then(each.ts)],
        [each.id for each in planned if made_then(each.ts)],
        events,
    )
    kept = await artifact_queries.own_artifacts(unit.session, unit.viewer)
    files = [name for name, ts, refs in kept if made_then(ts) or not set(events).isdisjoint(refs)]
    await artifact_queries.remove_artifacts(unit.session, unit.viewer, files)
    lost = gone | {*files, *events}
    await _drop_handoffs(unit, lambda packet: made_then(packet.ts) or not lost.isdisjoint(packet.refs))


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
