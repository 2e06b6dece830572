"""Makes the next version of a conversation's summary: claim, read, call the model, check, and store."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from db.ids import timed_id
from db.queries.consolidation import consolidation as queries
from db.queries.consolidation import summaries as summary_queries
from db.queries.consolidation.consolidation import DueSummary, NumberedMessage, Progress
from db.queries.people.people import Choices, choices_of
from db.tables import Summary
from db.tables.events import IMPORTED
from db.vocabulary import Sensitivity
from memory.consolidation.extraction import extract
from memory.consolidation.extraction.extract import ExtractionJob
from memory.consolidation.jobs import MAX_ATTEMPTS, JobOutcome, Jobs, Lease, LeaseTakenOver, record_failure, run_leased
from memory.consolidation.messages import read_messages
from memory.consolidation.summaries import summaries
from memory.consolidation.summaries.grounding import GroundedSummary, SummaryForm, drop_ungrounded
from memory.consolidation.summaries.summaries import NewSummary, points_of
from memory.consolidation.summaries.transcript import TranscriptLine, transcript
from memory.consolidation.summaries.windows import ConversationState, Range, covered, past_gaps, starts_of
from memory.errors import AnswerUnfit
from memory.facts import topics
from memory.language.claims.drift import DriftSource
from memory.model.structured import StructuredResult
from memory.model.usage import keep_usage
from memory.prompts import prompt
from memory.refusals import Refusal
from memory.unit import Unit

LEAST_MESSAGES = 4  # shorter conversations get no digest
KEPT_DIGESTS = 10
LEAST_CONVERSATIONS = 3  # an overview needs at least this many
PURPOSE = "summary"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SummaryJob:
    """A claimed version, and the claimed extraction of the same messages, if any."""

    lease: Lease
    range: Range
    is_closed: bool
    ranges: Sequence[tuple[str, int, int]]
    extraction: ExtractionJob | None


@dataclass(frozen=True, slots=True)
class SummaryInput:
    messages: Sequence[TranscriptLine]
    rows: Sequence[NumberedMessage]
    choices: Choices
    so_far: Sequence[str]
    sources: Sequence[DriftSource]
    earlier: Sequence[DriftSource]
    known: dict[str, str]

    @property
    def is_imported(self) -> bool:
        """Whether messages are imported. Such a conversation can be searched, but does not count as a recent one."""
        return any(IMPORTED in row.tags for row in self.rows)


async def summarise(jobs: Jobs, due: DueSummary, now: datetime) -> bool:
    """Make the next version of a conversation's summary. Return whether one was made."""
    job = await claim(jobs, due, now)
    if job is None:
        return False
    done = await run_leased(jobs, job.lease, partial(_make, jobs, job)) is JobOutcome.DONE
    if not done and job.extraction:
        await extract.release_job(jobs, job.extraction)
    return done


async def claim(jobs: Jobs, due: DueSummary, now: datetime) -> SummaryJob | None:
    """Claim the next version, if one is due and no other process has claimed it."""
    here, rule = due.conversation_id, jobs.rule
    async with jobs.memory.unit(due.viewer, now=now) as unit:
        progress = await queries.progress_of(unit.session, unit.viewer, here)
        if progress is None:
            return None
        attempt = await queries.take_over(unit.session, Summary, here, unit.now) + 1
        ranges = await summary_queries.ranges_of(unit.session, unit.viewer, here)
        passed = past_gaps(progress.summarised_count, [(first, last) for _, first, last in ranges], progress.given_up)
        if passed > progress.summarised_count:
            await queries.advance_progress(unit.session, unit.viewer, here, summarised=passed)
            progress = replace(progress, summarised=passed)
        since = max(0, progress.summarised_count - rule.window - 1)
        turns = await queries.turns_of(unit.session, unit.viewer, here, since=since)
        range_ = rule.next(_conversation_state(progress, turns, ranges, is_closed=due.is_closed))
        if due.is_closed and progress.message_count < LEAST_MESSAGES and not ranges:
            await queries.advance_progress(unit.session, unit.viewer, here, digest_from=progress.message_count)
            range_ = None
        if range_ is None:
            log.debug("No new messages to summarize for %s", here)
            return None
        lease = Lease(Summary, timed_id("sum", now), here, unit.viewer, attempt, now)
        is_ours = await queries.begin(
            unit.session,
            unit.viewer,
            Summary,
            id=lease.id,
            conversation_id=here,
            now=now,
            lease_until=now + jobs.lease,
            attempts=attempt,
            start_seq=range_.start_seq,
            new_seq=range_.new_seq,
            end_seq=range_.end_seq,
            base_id=_base(ranges, range_),
        )
        if not is_ours:
            log.debug("Summarization already in progress for %s", here)
            return None
        extraction = await extract.claim_with_summary(jobs, unit, due, progress, range_.new_seq, range_.end_seq)
    if attempt > MAX_ATTEMPTS:  # the earlier attempts crashed
        if extraction:
            await extract.release_job(jobs, extraction)
        await record_failure(jobs, lease, AnswerUnfit(Refusal.ANSWER_TRIES))
        return None
    log.debug("Memory %s status updated to processing", lease.id)
    return SummaryJob(lease, range_, due.is_closed, ranges, extraction)


async def _make(jobs: Jobs, job: SummaryJob) -> None:
    """Make a claimed version. No transaction is open during the model call."""
    assert jobs.structured_llm is not None
    source = await _read_input(jobs, job)
    started_at, result = time.monotonic(), StructuredResult[SummaryForm]()
    text = transcript(
        source.messages,
        timezone=source.choices.timezone,
        so_far=source.so_far,
        earlier=[source.text for source in source.earlier],
        known=source.known,
        owner=job.lease.viewer.person if job.extraction else None,
    )
    instructions = "\n\n".join([prompt("summarise"), *([prompt("extract")] if job.extraction else [])])
    try:
        form = await jobs.structured_llm.write(instructions, text, SummaryForm, result)
        kept = drop_ungrounded(
            form, source.messages, job.lease.viewer.channel, so_far=source.sources, earlier=source.earlier
        )
        if kept.dropped:
            log.info("Dropped %d unfounded sentences from %s", kept.dropped, job.lease.id)
        facts = await extract.check_with_summary(jobs, job.extraction, form.facts, source.messages)
        version = _new_version(source, kept, round(1000 * (time.monotonic() - started_at)))
        await _write(jobs, job, source, version, facts)
    finally:
        jobs.metrics.add_tokens(result.attempts, PURPOSE)
        async with jobs.memory.unit(job.lease.viewer) as unit:
            await keep_usage(unit, job.lease.conversation_id, result.attempts, jobs.prices, purpose=PURPOSE)


async def _read_input(jobs: Jobs, job: SummaryJob) -> SummaryInput:
    here, range_ = job.lease.conversation_id, job.range
    async with jobs.memory.unit(job.lease.viewer, read_only=True) as unit:
        choices = await choices_of(unit.session, unit.viewer)
        timezone = ZoneInfo(choices.timezone)
        rows = await queries.messages_between(unit.session, unit.viewer, here, range_.new_seq, range_.end_seq)
        messages = await read_messages(unit, rows, timezone)
        if not messages:
            raise AnswerUnfit(Refusal.SUMMARY_NOTHING_TO_DO)
        versions = await unit.vault.open_rows(await summary_queries.versions_shown(unit.session, unit.viewer, here))
        points = [point for row in versions for point in points_of(row) if max(point.messages) >= range_.start_seq]
        sources = [DriftSource(point.text, messages[0].at) for point in points]
        known = await extract.known_facts_for(unit, job.extraction, messages)
        source = SummaryInput(messages, rows, choices, [point.text for point in points], sources, [], known)
        if not job.is_closed or source.is_imported:
            return source
        return replace(source, earlier=await _earlier_digests(unit, job, timezone))


async def _earlier_digests(unit: Unit, job: SummaryJob, timezone: ZoneInfo) -> list[DriftSource]:
    """Digests of other conversations, oldest first, if there are enough for an overview."""
    here = job.lease.conversation_id
    rows = await summary_queries.digests_before(unit.session, unit.viewer, here, unit.now, limit=KEPT_DIGESTS)
    shown = [row for row in rows if row.sensitivity != Sensitivity.HIGH and row.digest]
    if len(shown) + 1 < LEAST_CONVERSATIONS:
        return []
    return [DriftSource(row.digest or "", row.created_at.astimezone(timezone)) for row in reversed(shown)]


def _new_version(source: SummaryInput, kept: GroundedSummary, milliseconds: int) -> NewSummary:
    """The version to store. It is as sensitive as its messages and its own text."""
    sensitivity = Sensitivity.most(kept.sensitivity, *(row.sensitivity for row in source.rows))
    return NewSummary(
        points=kept.points,
        digest="" if source.is_imported else kept.digest,
        refs=tuple(row.event_id for row in source.rows),
        sensitivity=sensitivity,
        generation_ms=milliseconds,
        overall="" if sensitivity == Sensitivity.HIGH else kept.overall,
    )


async def _write(
    jobs: Jobs, job: SummaryJob, source: SummaryInput, version: NewSummary, facts: extract.CheckedFacts | None
) -> None:
    """Store the version, topics and facts in one transaction. If the claim was lost, nothing is stored."""
    here, range_, lease = job.lease.conversation_id, job.range, job.lease
    async with jobs.memory.unit(lease.viewer, now=lease.began) as unit:
        if not unit.viewer.is_aloud:
            own = [each for each in source.messages if each.owner == unit.viewer.person and each.is_own]
            texts = [each.text for each in own if each.by_human and not each.is_sensitive]
            shown_topics = await topics.add_topics(unit, texts if jobs.counts_topics and not source.is_imported else [])
            version = replace(version, topics=tuple(shown_topics) if version.overall else ())
        ranges = [*((first, last) for _, first, last in job.ranges), (range_.new_seq, range_.end_seq)]
        summarised = covered(ranges, range_.end_seq + 1)
        # Lock the conversation before the chunks, in the same order as storing a message, to avoid a deadlock.
        await queries.advance_progress(unit.session, unit.viewer, here, summarised=summarised)
        if not await summaries.store(unit, lease.id, version):
            raise LeaseTakenOver
        await summary_queries.rest_on(unit.session, unit.viewer, here, lease.id, range_.end_seq + 1)
        await summary_queries.forget_old_digests(unit.session, unit.viewer, keep=KEPT_DIGESTS)
        if job.extraction and facts is not None:
            await extract.keep_with_summary(unit, job.extraction, facts)
    milliseconds = version.generation_ms
    log.info("Summarized messages %d-%d for %s in %dms", range_.new_seq, range_.end_seq, here, milliseconds)
    if range_.start_seq > 0:
        log.info("Sliding window: dropping seq 0-%d for %s", range_.start_seq - 1, here)
    log.debug("Memory %s status updated to completed", lease.id)


def _conversation_state(
    progress: Progress,
    turns: Sequence[tuple[int, bool]],
    ranges: Sequence[tuple[str, int, int]],
    *,
    is_closed: bool,
) -> ConversationState:
    later = [first for _, first, _ in ranges if first >= progress.summarised_count]
    return ConversationState(
        message_count=progress.message_count,
        summarised_count=progress.summarised_count,
        exchange_starts=starts_of(turns),
        is_answered=bool(turns) and not turns[-1][1],
        is_closed=is_closed,
        given_up_until=progress.given_up_until,
        digest_from=progress.digest_from,
        next_version_start=min(later, default=None),
    )


def _base(ranges: Sequence[tuple[str, int, int]], range_: Range) -> str | None:
    """The latest version that ends before this range."""
    before = [(last, id) for id, _, last in ranges if last < range_.new_seq]
    return max(before)[1] if before else None
