"""What conversations still need: what is due, who does it, until when it is theirs, and what they read for it."""

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
    """A conversation with too long a tail, or a closed one with a tail at all, and as whom to work on it."""

    conversation_id: str
    viewer: Viewer
    is_closed: bool


@dataclass(frozen=True, slots=True)
class DueExtraction:
    """A conversation in which some people may have told something."""

    conversation_id: str
    owners: tuple[str, ...]
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a conversation was worked through, in numbers of messages."""

    said: int
    summarised: int
    digest_from: int
    telling: int
    extracted: int
    given_up: Sequence[tuple[int, int]]
    """What was given up after several failures: from which message to which."""

    @property
    def parked(self) -> int:
        """How far that reaches."""
        return max((last + 1 for _, last in self.given_up), default=0)

    @property
    def read(self) -> int:
        return max(self.summarised, self.digest_from)


@dataclass(frozen=True, slots=True)
class SaidRow:
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
    """For a viewer who is nobody."""
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
    """For a viewer who is nobody; the first of the owners holds the lease for all."""
    query = text("SELECT * FROM wall.due_extractions(:exchanges, :quiet_before, :now, :most)").bindparams(
        exchanges=exchanges, quiet_before=quiet_before, now=now, most=limit
    )
    return [
        DueExtraction(conversation, tuple(owners), Viewer(viewer.tenant, owners[0], space, Channel(channel)))
        for conversation, owners, space, channel in await session.execute(query)
    ]


async def untold_secondhand(session: AsyncSession, viewer: Viewer, conversations: Sequence[str]) -> set[str]:
    """Which of these conversations have messages, not looked through yet, that came by another hand. They are one
    value, because an import may have made more of them than a statement may have values."""
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
    """Remove what somebody began and did not end in time; gives how often it was tried."""
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
    """Whether it is ours to do: of each work at most one is under way in a conversation."""
    begun = await session.execute(
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
    return begun.scalar_one_or_none() is not None


async def complete(session: AsyncSession, viewer: Viewer, work: Work, id: str, **columns: Any) -> bool:
    """Whether it was still ours; whoever took over does it themselves."""
    done = await session.execute(
        _ours(viewer, work, id)
        .values(**columns, status=SummaryStatus.COMPLETED, lease_until=None, reason=None)
        .returning(work.id)
    )
    return done.scalar_one_or_none() is not None


async def stop(
    session: AsyncSession, viewer: Viewer, work: Work, id: str, *, reason: str | None, again_at: datetime | None
) -> None:
    """Say why it failed, and from when on it is tried again; never, where it is given up."""
    given_up = {"status": SummaryStatus.FAILED, "lease_until": None}
    values = given_up if again_at is None else {"lease_until": again_at}
    await session.execute(_ours(viewer, work, id).values(**values, reason=reason))


async def give_back(session: AsyncSession, viewer: Viewer, work: Work, id: str) -> None:
    """As if it had not been begun."""
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
    found = (await session.execute(query)).one_or_none()
    if found is None:
        return None
    return Progress(*found, given_up=[(first, last) for first, last in await session.execute(given_up)])


async def count(session: AsyncSession, viewer: Viewer, conversation_id: str, **until: int) -> None:
    """How far a conversation is worked through from now on: `summarised`, `extracted`, or `digest_from` where it shall
    not be summarised, be it too little or unwanted."""
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
        .values(**{name: func.greatest(getattr(Conversation, name), number) for name, number in until.items()})
    )


async def unread_all(session: AsyncSession, viewer: Viewer) -> None:
    """What the viewer said up to now, alone with the assistant, is not summarised any more."""
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.user_id == viewer.person)
        .where(Conversation.channel.in_((Channel.PRIVATE, Channel.AGENT)))
        .values(digest_from=Conversation.next_message_seq)
    )


async def turns_of(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, since: int
) -> Sequence[tuple[int, bool]]:
    """The number of each message from one on, and whether a person said it."""
    query = (
        select(Event.message_seq, Event.actor_type)
        .where(Event.tenant_id == viewer.tenant, Event.conversation_id == conversation_id)
        .where(Event.kind == EventKind.MESSAGE, Event.message_seq >= since)
        .order_by(Event.message_seq)
    )
    return [(seq, actor == ActorType.HUMAN) for seq, actor in await session.execute(query) if seq is not None]


async def said_between(
    session: AsyncSession, viewer: Viewer, conversation_id: str, first: int, last: int
) -> Sequence[SaidRow]:
    """The messages from one number to another that this viewer may read."""
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
        SaidRow(seq, id, user, ActorType(actor), content, ts, Sensitivity(sensitivity), tuple(tags))
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
