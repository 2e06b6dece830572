"""Summaries and extractions as jobs: which are due, who holds the lease, and which messages they read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, Text, Update, any_, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Conversation, Event, Extraction, Summary
from db.tables.events import SECONDHAND, TELLING
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind, Sensitivity, SummaryStatus

Work = type[Summary] | type[Extraction]
NAMES: dict[Work, str] = {Summary: "summary", Extraction: "extraction"}


@dataclass(frozen=True, slots=True)
class DueSummary:
    """A conversation with too many unsummarised messages, or a closed one with any. The job runs as `viewer`."""

    conversation_id: str
    viewer: Viewer
    is_closed: bool


@dataclass(frozen=True, slots=True)
class DueExtraction:
    """A conversation where these owners' messages may contain facts. The first one holds the lease for all."""

    conversation_id: str
    owners: tuple[str, ...]
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class Progress:
    """How many messages of a conversation are summarised and extracted."""

    message_count: int
    summarised: int
    digest_from: int
    """The first message that digests may cover."""
    extractable_count: int
    """No message from this number on is tagged as one that may contain facts."""
    extracted: int
    given_up: Sequence[tuple[int, int]]
    """Ranges, first to last message, that failed too often."""

    @property
    def given_up_until(self) -> int:
        return max((last + 1 for _, last in self.given_up), default=0)

    @property
    def summarised_count(self) -> int:
        """How many messages need no summary any more."""
        return max(self.summarised, self.digest_from)


@dataclass(frozen=True, slots=True)
class NumberedMessage:
    """A message with its number; `content` holds its `text`, or is `sealed`."""

    seq: int
    event_id: str
    user: str
    actor_type: ActorType
    content: dict[str, Any]
    ts: datetime
    sensitivity: Sensitivity
    tags: tuple[str, ...]


async def due_summaries(
    session: AsyncSession, viewer: Viewer, *, more_than: int, idle_before: datetime, now: datetime, limit: int
) -> Sequence[DueSummary]:
    """For `Viewer.nobody`."""
    query = text("SELECT * FROM wall.due_summaries(:more_than, :idle_before, :now, :most)").bindparams(
        more_than=more_than, idle_before=idle_before, now=now, most=limit
    )
    return [
        DueSummary(conversation, Viewer(viewer.tenant, user, space, Channel(channel)), closed)
        for conversation, user, space, channel, closed in await session.execute(query)
    ]


async def due_extractions(
    session: AsyncSession, viewer: Viewer, *, exchanges: int, quiet_before: datetime, now: datetime, limit: int
) -> Sequence[DueExtraction]:
    """For `Viewer.nobody`."""
    query = text("SELECT * FROM wall.due_extractions(:exchanges, :quiet_before, :now, :most)").bindparams(
        exchanges=exchanges, quiet_before=quiet_before, now=now, most=limit
    )
    return [
        DueExtraction(conversation, tuple(owners), Viewer(viewer.tenant, owners[0], space, Channel(channel)))
        for conversation, owners, space, channel in await session.execute(query)
    ]


async def with_pending_secondhand(session: AsyncSession, viewer: Viewer, conversations: Sequence[str]) -> set[str]:
    """Return those of the conversations that have secondhand messages (imports, agents) still to be extracted.

    Their ids are bound as one array, since an import may create more conversations than a statement takes parameters.
    """
    query = (
        select(Event.conversation_id)
        .distinct()
        .join(Conversation, (Conversation.tenant_id == Event.tenant_id) & (Conversation.id == Event.conversation_id))
        .where(Event.tenant_id == viewer.tenant)
        .where(Event.conversation_id == any_(literal(list(conversations), ARRAY(Text))))
        .where(Event.message_seq >= Conversation.extracted)
        .where(text(f"events.tags @> '{{{TELLING}}}'"), text(f"events.tags @> '{{{SECONDHAND}}}'"))
    )
    return set((await session.execute(query)).scalars())


async def take_over(session: AsyncSession, work: Work, conversation_id: str, now: datetime) -> int:
    """Remove a job whose lease expired. Return the number of attempts so far."""
    query = text("SELECT attempts FROM wall.take_over(:work, :conversation, :now)").bindparams(
        work=NAMES[work], conversation=conversation_id, now=now
    )
    return (await session.execute(query)).scalar() or 0


async def begin(
    session: AsyncSession,
    viewer: Viewer,
    work: Work,
    *,
    id: str,
    conversation_id: str,
    now: datetime,
    lease_until: datetime,
    attempts: int,
    **columns: Any,
) -> bool:
    """Lease a job. Return False if the conversation already has one of this kind."""
    inserted = await session.execute(
        insert(work)
        .values(
            tenant_id=viewer.tenant,
            id=id,
            conversation_id=conversation_id,
            space_id=viewer.place,
            user_id=viewer.person,
            channel=viewer.channel,
            status=SummaryStatus.PROCESSING,
            attempts=attempts,
            lease_until=lease_until,
            created_at=now,
            **columns,
        )
        .on_conflict_do_nothing()
        .returning(work.id)
    )
    return inserted.scalar_one_or_none() is not None


async def complete(session: AsyncSession, viewer: Viewer, work: Work, id: str, **columns: Any) -> bool:
    """Complete a job. Return False if the lease was lost and another process has the job."""
    updated = await session.execute(
        _ours(viewer, work, id)
        .values(**columns, status=SummaryStatus.COMPLETED, lease_until=None, reason=None)
        .returning(work.id)
    )
    return updated.scalar_one_or_none() is not None


async def stop(
    session: AsyncSession, viewer: Viewer, work: Work, id: str, *, reason: str | None, again_at: datetime | None
) -> None:
    """Record why a job failed and when to retry it. Without `again_at` it is given up."""
    given_up = {"status": SummaryStatus.FAILED, "lease_until": None}
    values = given_up if again_at is None else {"lease_until": again_at}
    await session.execute(_ours(viewer, work, id).values(**values, reason=reason))


async def give_back(session: AsyncSession, viewer: Viewer, work: Work, id: str) -> None:
    """Delete an unfinished job and its count of attempts, as if it had never started."""
    await session.execute(
        delete(work).where(
            work.tenant_id == viewer.tenant,
            work.id == id,
            work.user_id == viewer.person,
            work.status == SummaryStatus.PROCESSING,
        )
    )


async def progress_of(session: AsyncSession, viewer: Viewer, conversation_id: str) -> Progress | None:
    given_up = (
        select(func.coalesce(Summary.new_seq, Summary.start_seq), Summary.end_seq)
        .where(Summary.tenant_id == viewer.tenant, Summary.conversation_id == conversation_id)
        .where(Summary.status == SummaryStatus.FAILED)
    )
    query = select(
        Conversation.next_message_seq,
        Conversation.summarised,
        Conversation.digest_from,
        Conversation.telling,
        Conversation.extracted,
    ).where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
    row = (await session.execute(query)).one_or_none()
    if row is None:
        return None
    return Progress(*row, given_up=[(first, last) for first, last in await session.execute(given_up)])


async def advance_progress(session: AsyncSession, viewer: Viewer, conversation_id: str, **counts: int) -> None:
    """Raise `summarised`, `extracted` or `digest_from` of a conversation; they never go back. `digest_from` skips
    messages that are too few to summarise or not to be summarised."""
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
        .values(**{name: func.greatest(getattr(Conversation, name), number) for name, number in counts.items()})
    )


async def exclude_from_summaries(session: AsyncSession, viewer: Viewer) -> None:
    """Exclude all messages so far of the viewer's private conversations."""
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.user_id == viewer.person)
        .where(Conversation.channel.in_((Channel.PRIVATE, Channel.AGENT)))
        .values(digest_from=Conversation.next_message_seq)
    )


async def turns_of(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, since: int
) -> Sequence[tuple[int, bool]]:
    """Each message number from `since` on, and whether a person wrote it."""
    query = (
        select(Event.message_seq, Event.actor_type)
        .where(Event.tenant_id == viewer.tenant, Event.conversation_id == conversation_id)
        .where(Event.kind == EventKind.MESSAGE, Event.message_seq >= since)
        .order_by(Event.message_seq)
    )
    return [(seq, actor == ActorType.HUMAN) for seq, actor in await session.execute(query) if seq is not None]


async def messages_between(
    session: AsyncSession, viewer: Viewer, conversation_id: str, first: int, last: int
) -> Sequence[NumberedMessage]:
    """The messages numbered `first` to `last` that this viewer may read."""
    query = (
        select(
            Event.message_seq,
            Event.id,
            Event.user_id,
            Event.actor_type,
            Event.content,
            Event.ts,
            Event.sensitivity,
            Event.tags,
        )
        .where(Event.tenant_id == viewer.tenant, Event.conversation_id == conversation_id)
        .where(Event.kind == EventKind.MESSAGE, Event.message_seq.between(first, last))
        .order_by(Event.message_seq)
    )
    return [
        NumberedMessage(seq, id, user, ActorType(actor), content, ts, Sensitivity(sensitivity), tuple(tags))
        for seq, id, user, actor, content, ts, sensitivity, tags in await session.execute(query)
        if seq is not None
    ]


def _ours(viewer: Viewer, work: Work, id: str) -> Update:
    return update(work).where(
        work.tenant_id == viewer.tenant,
        work.id == id,
        work.user_id == viewer.person,
        work.status == SummaryStatus.PROCESSING,
    )
