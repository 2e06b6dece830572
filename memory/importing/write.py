"""Writes down what was heard elsewhere, as if it had been said here at its time: some messages in each transaction.

Every id is made of what names a message in its source. So whatever breaks an import off, the next one finds what is
here and goes on; and one that was done writes nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from db.ids import named_id
from db.queries.events.conversations import keep_imported
from db.queries.events.events import recorded_among
from db.queries.facts.facts import lock_facts_of
from db.queries.privacy.audit import note
from db.queries.privacy.erasure import TombstoneRow, erased_among, tombstones_of
from db.tables.events import IMPORTED, SECONDHAND
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Sensitivity
from memory.events.record import EventDraft, PreparedEvent, prepare, record
from memory.importing.formats import Format
from memory.importing.messages import ImportedMessage, ImportItem, SkipReason
from memory.privacy.forgetting.tombstones import without_forgotten
from memory.unit import Memory, Unit

AT_ONCE, MAX_CHARACTERS = 100, 500_000  # messages, and characters, in one transaction
AHEAD = timedelta(days=1)  # of our clock; who writes later than that does not tell the time
TAGS = (SECONDHAND, IMPORTED)
BLANK = frozenset("█ \n\t.,;:!?…–—()")


@dataclass(slots=True)
class ImportResult:
    """What became of an export."""

    conversations: int = 0
    new: int = 0
    already_present: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.new + self.already_present + self.skipped.total()


@dataclass(frozen=True, slots=True)
class ImportSource:
    """Whose messages these are, and how they are named here."""

    format: Format
    viewer: Viewer
    owner_id: str = ""
    """As whom the owner speaks; in a talk with an assistant, as whoever is none."""

    def conversation_of(self, heard: ImportedMessage) -> str:
        return named_id("cnv", *self._account, heard.chat, heard.part)

    def event_of(self, heard: ImportedMessage, key: str | None = None) -> str:
        return named_id("evt", *self._account, heard.chat, key or heard.key)

    @property
    def _account(self) -> tuple[str, str, str, str]:
        """Two people may bring the same file, and one person what two accounts of theirs have numbered alike."""
        return ("import", self.viewer.person, self.format.kind, self.owner_id)

    def draft_of(self, heard: ImportedMessage, text: str) -> EventDraft:
        content: dict[str, Any] = {"text": text, **(heard.extra or {})}
        actor, name = ActorType.HUMAN, self.viewer.person
        if heard.by_assistant:
            actor, name = ActorType.AGENT, self.format.agent
        elif heard.speaker != self.owner_id:
            # Somebody else's words, that the owner passes on: never taken for the owner's own.
            name = heard.speaker
            content = {"forwarded_from": heard.name, **content, "by": heard.name}
        refs = (self.event_of(heard, heard.reply_to),) if heard.reply_to else ()
        return EventDraft(actor, name, EventKind.MESSAGE, content, refs=refs, tags=TAGS)


@dataclass(frozen=True, slots=True)
class KnownState:
    """What is here of a batch: messages, those that were forgotten as a whole, and what was forgotten of any."""

    recorded: dict[str, Sensitivity]
    erased: set[str]
    tombstones: Sequence[TombstoneRow]


Batch = list[tuple[str, str, ImportedMessage]]
"""Messages with the ids of their conversation and of their event."""


async def write_messages(
    memory: Memory,
    source: ImportSource,
    messages: Iterator[ImportItem],
    tell: Callable[[int], None] = lambda done: None,
) -> ImportResult:
    """Bring in what is not here yet. `tell` hears how many were dealt with."""
    tally, here, secret = ImportResult(), set[str](), SensitiveConversation()
    now = datetime.now(UTC)
    while taken := await asyncio.to_thread(_some, messages):
        batch = _named(source, taken, now, tally)
        here.update(conversation for conversation, _, _ in batch)
        while not await _write_batch(memory, source, batch, secret, tally):
            pass  # something was forgotten meanwhile
        tally.conversations = len(here)
        tell(tally.total)
    if tally.new:
        async with memory.unit(source.viewer) as unit:
            await note(unit.session, unit.viewer, "imported", source.viewer.person, unit.now, messages=tally.new)
    return tally


def _some(messages: Iterator[ImportItem]) -> list[ImportItem]:
    taken, letters = list[ImportItem](), 0
    for read in messages:
        taken.append(read)
        letters += len(read.text) if isinstance(read, ImportedMessage) else 0
        if len(taken) >= AT_ONCE or letters >= MAX_CHARACTERS:
            break
    return taken


def _named(source: ImportSource, taken: Sequence[ImportItem], now: datetime, tally: ImportResult) -> Batch:
    """The messages of a batch, each once, by conversation and time."""
    batch: dict[str, tuple[str, str, ImportedMessage]] = {}
    for read in taken:
        if not isinstance(read, ImportedMessage):
            tally.skipped[read] += 1
        elif read.at > now + AHEAD:
            tally.skipped[SkipReason.UNREADABLE] += 1
        elif (event := source.event_of(read)) in batch:
            tally.already_present += 1
        else:
            batch[event] = (source.conversation_of(read), event, read)
    order = {conversation: place for place, (conversation, _, _) in reversed(list(enumerate(batch.values())))}
    return sorted(batch.values(), key=lambda each: (order[each[0]], each[2].at))


@dataclass(slots=True)
class SensitiveConversation:
    """The conversation in which the last thing that its owner said was sensitive: then its answer is too."""

    conversation: str | None = None


async def _write_batch(
    memory: Memory, source: ImportSource, batch: Batch, secret: SensitiveConversation, tally: ImportResult
) -> bool:
    """False, where it must be done again. What takes its time is done while no transaction is open."""
    ids = [event for _, event, _ in batch]
    async with memory.unit(source.viewer, read_only=True) as unit:
        known = await _known(unit, ids)
    after = replace(secret)
    fresh = await asyncio.to_thread(_prepared, source, batch, known, after)
    if fresh:
        async with memory.unit(source.viewer) as unit:
            await lock_facts_of(unit.session, unit.viewer)
            if await _known(unit, ids) != known:
                return False
            for conversation, group in groupby(fresh, key=lambda each: each[0]):
                await _record(unit, source, conversation, [prepared for _, prepared in group])
    secret.conversation = after.conversation
    named = known.recorded.keys() | known.erased
    tally.new += len(fresh)
    tally.already_present += len(known.recorded)
    tally.skipped[SkipReason.FORGOTTEN] += len(known.erased - known.recorded.keys())
    tally.skipped[SkipReason.FORGOTTEN] += len(batch) - len(named) - len(fresh)
    return True


async def _known(unit: Unit, ids: Sequence[str]) -> KnownState:
    return KnownState(
        await recorded_among(unit.session, unit.viewer, ids),
        await erased_among(unit.session, unit.viewer, ids),
        await tombstones_of(unit.session, unit.viewer),
    )


def _prepared(
    source: ImportSource, batch: Batch, known: KnownState, secret: SensitiveConversation
) -> list[tuple[str, PreparedEvent]]:
    """What is not here yet, redacted and classified, without what was forgotten."""
    fresh = []
    for conversation, event, message in batch:
        if event in known.recorded:
            level = known.recorded[event]
        elif event in known.erased:
            continue
        else:
            text = without_forgotten(message.text, known.tombstones)
            if text != message.text and BLANK.issuperset(text):
                continue
            answers = message.by_assistant and secret.conversation == conversation
            prepared = prepare(source.draft_of(message, text), message.at, sensitive=answers, event_id=event)
            fresh.append((conversation, prepared))
            level = prepared.event.sensitivity
        if not message.by_assistant:
            secret.conversation = conversation if level == Sensitivity.HIGH else None
    return fresh


async def _record(unit: Unit, source: ImportSource, conversation: str, prepared: Sequence[PreparedEvent]) -> None:
    times = [each.event.ts for each in prepared]
    await keep_imported(
        unit.session,
        unit.viewer,
        conversation_id=conversation,
        agent_id=source.format.agent,
        started_at=min(times),
        ended_at=max(times),
    )
    await record(unit, conversation, prepared)
