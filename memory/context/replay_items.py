"""Rebuilds the items of a past call from the rows named in its manifest."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from db.queries.consolidation import summaries as summary_queries
from db.queries.consolidation.summaries import SummaryRow
from db.queries.events.events import event_row
from db.queries.facts import facts as fact_queries
from db.queries.facts.facts import BLANK
from db.queries.ledgers import decisions as decision_queries
from db.queries.ledgers import handoffs as handoff_queries
from db.queries.ledgers import tasks as task_queries
from db.queries.ledgers import views as view_queries
from db.queries.people.spaces import subject_here
from db.queries.retrieval.hits import chunks_by_id
from db.vocabulary import EventKind, TaskStatus
from memory.consolidation.summaries.summaries import digest_of
from memory.context import items
from memory.context.items import Item
from memory.events.framing import frame, speaker_name
from memory.events.record import open_content
from memory.language.spans import Span
from memory.ledgers.documents import document_part
from memory.retrieval.chunks import searchable_text, split_text
from memory.unit import Unit

Row = Mapping[str, Any]


class ReplayItems:
    """Rebuilds items from the present rows. If an item is gone or has new blanks, the current part of the call counts
    as forgotten."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.part = ""
        self.forgotten: set[str] = set()

    async def item(self, row: Row) -> Item | None:
        item = await self._rebuild(row)
        if item is None or (BLANK in item.text and not row.get("blanks")):
            self.forgotten.add(self.part)
        return item.cut_to(row["cut_to"]) if item and "cut_to" in row else item

    async def step(self, event_id: str) -> tuple[EventKind, Row]:
        """Return the rest of a stored tool call or result, after any purge."""
        found = await event_row(self._unit.session, self._unit.viewer, event_id)
        if found is None:
            self.forgotten.add(self.part)
            return EventKind.TOOL_CALL, {}
        content = await open_content(self._unit, found.user, event_id, found.content)
        if BLANK in str(content):
            self.forgotten.add(self.part)
        return found.kind, content

    async def _rebuild(self, row: Row) -> Item | None:
        session, viewer = self._unit.session, self._unit.viewer
        match row:
            case {"fact": fact_id, "version": version}:
                found = await self._unit.vault.open_rows(await fact_queries.versions_of(session, viewer, [fact_id]))
                return next((items.fact_item(fact) for fact in found if fact.version == version), None)
            case {"by_human": by_human, "event": event_id}:
                return await self._message(row, by_human, event_id)
            case {"chunk": chunk_id}:
                return await self._evidence(row, chunk_id)
            case {"decision": decision_id}:
                decided = await decision_queries.decision(session, viewer, decision_id)
                return items.decision_item((await self._unit.vault.open_rows([decided]))[0]) if decided else None
            case {"task": task_id}:
                return await self._task(row, task_id)
            case {"handoff": handoff_id}:
                packet = await handoff_queries.handoff(session, viewer, handoff_id)
                return items.handoff_item(packet) if packet else None
            case {"summary": summary_id}:
                summary = await summary_queries.summary(session, viewer, summary_id)
                digest = await digest_of(self._unit, summary.conversation_id, until=summary_id) if summary else None
                return items.summary_item(summary_id, self._note_blanks(digest.text), _spans(row)) if digest else None
            case {"digest": summary_id}:
                version = await self._version(summary_id)
                return items.digest_item(version) if version and version.digest else None
            case {"overall": summary_id}:
                version = await self._version(summary_id)
                return items.overall_item(version) if version and version.overall else None
            case {"view": name, "scope": scope, "version": version, "user": author, "space": space}:
                views = await view_queries.views(session, viewer)
                same = [
                    v
                    for v in views
                    if (v.name, v.scope, v.version, v.owner, v.space) == (name, scope, version, author, space)
                ]
                return items.view_item(same[0]) if same else None
            case {"subject": _}:
                subject = await subject_here(session, viewer)
                return items.space_item(subject) if subject else None
        return None

    async def _message(self, row: Row, by_human: bool, event_id: str) -> Item | None:
        event = await event_row(self._unit.session, self._unit.viewer, event_id)
        content = await open_content(self._unit, event.user, event_id, event.content) if event else {}
        if event is None or "text" not in content:
            return None
        hidden_parts = row.get("unsaid", ())
        return items.message_item(
            event_id,
            by_human,
            self._note_blanks(str(content["text"])),
            _spans(row),
            frame=self._note_blanks(frame(content, hidden_parts)),
            hidden_parts=hidden_parts,
            speaker=self._note_blanks(speaker_name(content, by_human, event.actor_id, hidden_parts))
            if row.get("named")
            else "",
        )

    async def _evidence(self, row: Row, chunk_id: str) -> Item | None:
        source, part = row["source"], row["part"]
        found = await self._chunk(chunk_id) or await self._part_of_event(source, part)
        found = found or await document_part(self._unit, source, part)
        if found is None:
            return None
        speaker, ts, text = found
        flags = {"superseded": row.get("superseded", False), "whole": row.get("whole")}
        return items.evidence_item(chunk_id, source, part, speaker, ts, self._note_blanks(text), _spans(row), **flags)

    async def _version(self, summary_id: str) -> SummaryRow | None:
        found = await summary_queries.summary(self._unit.session, self._unit.viewer, summary_id)
        return (await self._unit.vault.open_rows([found]))[0] if found else None

    async def _chunk(self, chunk_id: str) -> tuple[str, datetime, str] | None:
        chunks = await chunks_by_id(self._unit.session, self._unit.viewer, [chunk_id])
        chunk = chunks.get(chunk_id)
        return (chunk.speaker or chunk.actor_id or chunk.kind, chunk.ts, chunk.text) if chunk else None

    async def _part_of_event(self, event_id: str, part: int) -> tuple[str, datetime, str] | None:
        """Cut the part from the event again. Its chunk was rebuilt, or the event is sealed and has no chunks."""
        event = await event_row(self._unit.session, self._unit.viewer, event_id)
        if event is None:
            return None
        content = await open_content(self._unit, event.user, event_id, event.content)
        parts = split_text(searchable_text(event.kind, content))
        speaker = str(content.get("by") or event.actor_id or event.kind)
        return (speaker, event.ts, parts[part]) if part < len(parts) else None

    def _note_blanks(self, text: str) -> str:
        """Note blanks in stored text: they may be newer than the call."""
        if BLANK in text:
            self.forgotten.add(self.part)
        return text

    async def _task(self, row: Row, task_id: str) -> Item | None:
        """Return a task as of the call: its state from the manifest, its words from the events until then."""
        session, viewer = self._unit.session, self._unit.viewer
        found = await task_queries.task(session, viewer, task_id)
        if found is None:
            return None
        task = (await self._unit.vault.open_rows([found]))[0]
        if task.event_id != row["event"]:
            if row["event"] is None:
                return None
            refs = list(task.refs)
            events = [ref for ref in refs[: refs.index(row["event"]) + 1] if ref.startswith("evt_")]
            updates = [content for ref in events if (content := await self._content(ref))]
            words = {
                name: next((str(update[name]) for update in reversed(updates) if update.get(name)), "")
                for name in WORDS
            }
            task = replace(task, title=words["title"], details=words["details"], event_id=row["event"], refs=[])
        due = date.fromisoformat(row["due"]) if row["due"] else None
        return items.task_item(replace(task, status=TaskStatus(row["status"]), due=due))

    async def _content(self, event_id: str) -> Row | None:
        found = await event_row(self._unit.session, self._unit.viewer, event_id)
        return None if found is None else await open_content(self._unit, found.user, event_id, found.content)


WORDS = ("title", "details")


def _spans(row: Row) -> list[Span]:
    return [(start, end) for start, end in row.get("blanks", ())]
