"""Makes the next version of a conversation's digest: claimed, read, asked for once, checked, and written whole."""

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
from db.queries.consolidation.consolidation import DueSummary, Progress, SaidRow
from db.queries.people.people import Choices, choices_of
from db.tables import Summary
from db.tables.events import IMPORTED
from db.vocabulary import Sensitivity
from memory.consolidation.extraction import extract
from memory.consolidation.extraction.extract import ExtractionInput
from memory.consolidation.jobs import MOST_ATTEMPTS, JobOutcome, Jobs, Lease, TakenOver, failed, held
from memory.consolidation.messages import read
from memory.consolidation.output_forms import Founded, Record, founded
from memory.consolidation.summaries import summaries
from memory.consolidation.summaries.summaries import MadeSummary, points_of
from memory.consolidation.summaries.transcript import TranscriptLine, transcript
from memory.consolidation.summaries.windows import Range, Talk, covered, past_gaps, starts_of
from memory.errors import AnswerUnfit
from memory.facts import topics
from memory.language.claims.drift import DriftSource
from memory.model.structured import Written
from memory.model.usage import keep_usage
from memory.prompts import prompt
from memory.unit import Unit

LEAST_MESSAGES = 4  # a shorter conversation is not worth a digest
KEPT_DIGESTS = 10
CONVERSATIONS = 3  # from which on there is an overview of all
PURPOSE = "summary"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A version that is ours to make, and the messages that we look through for facts on the way."""

    lease: Lease
    range: Range
    is_closed: bool
    ranges: Sequence[tuple[str, int, int]]
    extraction: ExtractionInput | None


@dataclass(frozen=True, slots=True)
class Material:
    said: Sequence[TranscriptLine]
    rows: Sequence[SaidRow]
    choices: Choices
    so_far: Sequence[str]
    sources: Sequence[DriftSource]
    earlier: Sequence[DriftSource]
    known: dict[str, str]

    @property
    def is_imported(self) -> bool:
        """Then it is found by search, and is none of the last conversations, however late it is read."""
        return any(IMPORTED in row.tags for row in self.rows)


async def summarise(jobs: Jobs, due: DueSummary, now: datetime) -> bool:
    """Whether a version was made."""
    job = await claim(jobs, due, now)
    if job is None:
        return False
    done = await held(jobs, job.lease, partial(_make, jobs, job)) is JobOutcome.DONE
    if not done and job.extraction:
        await extract.let_go(jobs, job.extraction)
    return done


async def claim(jobs: Jobs, due: DueSummary, now: datetime) -> Job | None:
    """Begin the next version, if there is one to make and nobody else makes it."""
    here, rule = due.conversation_id, jobs.rule
    async with jobs.memory.unit(due.viewer, now=now) as unit:
        progress = await queries.progress_of(unit.session, unit.viewer, here)
        if progress is None:
            return None
        attempt = await queries.take_over(unit.session, Summary, here, unit.now) + 1
        ranges = await summary_queries.ranges_of(unit.session, unit.viewer, here)
        passed = past_gaps(progress.read, [(first, last) for _, first, last in ranges], progress.given_up)
        if passed > progress.read:
            await queries.count(unit.session, unit.viewer, here, summarised=passed)
            progress = replace(progress, summarised=passed)
        since = max(0, progress.read - rule.window - 1)
        turns = await queries.turns_of(unit.session, unit.viewer, here, since=since)
        found = rule.next(_talk(progress, turns, ranges, is_closed=due.is_closed))
        if due.is_closed and progress.said < LEAST_MESSAGES and not ranges:
            await queries.count(unit.session, unit.viewer, here, digest_from=progress.said)
            found = None
        if found is None:
            log.debug("No new messages to summarize for %s", here)
            return None
        lease = Lease(Summary, timed_id("sum", now), here, unit.viewer, attempt, now)
        begun = await queries.begin(
            unit.session,
            unit.viewer,
            Summary,
            id=lease.id,
            conversation_id=here,
            now=now,
            lease_until=now + jobs.lease,
            attempts=attempt,
            start_seq=found.start_seq,
            new_seq=found.new_seq,
            end_seq=found.end_seq,
            base_id=_base(ranges, found),
        )
        if not begun:
            log.debug("Summarization already in progress for %s", here)
            return None
        extraction = await extract.claim_along(jobs, unit, due, progress, found.new_seq, found.end_seq)
    if attempt > MOST_ATTEMPTS:  # whoever tried it did not live to tell why
        if extraction:
            await extract.let_go(jobs, extraction)
        await failed(jobs, lease, AnswerUnfit("Three attempts did not come to an end."))
        return None
    log.debug("Memory %s status updated to processing", lease.id)
    return Job(lease, found, due.is_closed, ranges, extraction)


async def _make(jobs: Jobs, job: Job) -> None:
    """No transaction is open while the model is asked."""
    assert jobs.structured_llm is not None
    material = await _material(jobs, job)
    began, written = time.monotonic(), Written[Record]()
    told = transcript(
        material.said,
        timezone=material.choices.timezone,
        so_far=material.so_far,
        earlier=[source.text for source in material.earlier],
        known=material.known,
        owner=job.lease.viewer.person if job.extraction else None,
    )
    asked = "\n\n".join([prompt("summarise"), *([prompt("extract")] if job.extraction else [])])
    try:
        record = await jobs.structured_llm.write(asked, told, Record, written)
        kept = founded(
            record, material.said, job.lease.viewer.channel, so_far=material.sources, earlier=material.earlier
        )
        if kept.dropped:
            log.info("Dropped %d unfounded sentences from %s", kept.dropped, job.lease.id)
        found = await extract.checked_along(jobs, job.extraction, record.facts, material.said)
        made = _made(material, kept, round(1000 * (time.monotonic() - began)))
        await _write(jobs, job, material, made, found)
    finally:
        jobs.metrics.spent(written.spent, PURPOSE)
        async with jobs.memory.unit(job.lease.viewer) as unit:
            await keep_usage(unit, job.lease.conversation_id, written.spent, jobs.prices, purpose=PURPOSE)


async def _material(jobs: Jobs, job: Job) -> Material:
    here, found = job.lease.conversation_id, job.range
    async with jobs.memory.unit(job.lease.viewer, read_only=True) as unit:
        choices = await choices_of(unit.session, unit.viewer)
        timezone = ZoneInfo(choices.timezone)
        rows = await queries.said_between(unit.session, unit.viewer, here, found.new_seq, found.end_seq)
        said = await read(unit, rows, timezone)
        if not said:
            raise AnswerUnfit("There is nothing to summarise.")
        before = await unit.vault.opened(await summary_queries.versions_shown(unit.session, unit.viewer, here))
        points = [point for row in before for point in points_of(row) if max(point.messages) >= found.start_seq]
        sources = [DriftSource(point.text, said[0].at) for point in points]
        known = await extract.known_along(unit, job.extraction, said)
        material = Material(said, rows, choices, [point.text for point in points], sources, [], known)
        if not job.is_closed or material.is_imported:
            return material
        return replace(material, earlier=await _earlier(unit, job, timezone))


async def _earlier(unit: Unit, job: Job, timezone: ZoneInfo) -> list[DriftSource]:
    """Digests of other conversations, oldest first, once there are enough of them for an overview."""
    here = job.lease.conversation_id
    rows = await summary_queries.digests_before(unit.session, unit.viewer, here, unit.now, limit=KEPT_DIGESTS)
    open_ones = [row for row in rows if row.sensitivity != Sensitivity.HIGH and row.digest]
    if len(open_ones) + 1 < CONVERSATIONS:
        return []
    return [DriftSource(row.digest or "", row.created_at.astimezone(timezone)) for row in reversed(open_ones)]


def _made(material: Material, kept: Founded, milliseconds: int) -> MadeSummary:
    """As careful as the most sensitive message that was read for it, and as its own words."""
    careful = Sensitivity.most(kept.sensitivity, *(row.sensitivity for row in material.rows))
    return MadeSummary(
        points=kept.points,
        digest="" if material.is_imported else kept.digest,
        refs=tuple(row.event_id for row in material.rows),
        sensitivity=careful,
        generation_ms=milliseconds,
        overall="" if careful == Sensitivity.HIGH else kept.overall,
    )


async def _write(
    jobs: Jobs, job: Job, material: Material, made: MadeSummary, found: extract.Checked | None
) -> None:
    """All of it in one transaction, or nothing: also not the topics, where somebody else has come first."""
    here, range_, lease = job.lease.conversation_id, job.range, job.lease
    async with jobs.memory.unit(lease.viewer, now=lease.began) as unit:
        if not unit.viewer.is_aloud:
            said = [each for each in material.said if each.owner == unit.viewer.person and each.is_own]
            fresh = [each.text for each in said if each.by_human and not each.is_sensitive]
            told = await topics.note(unit, fresh if jobs.notes_topics and not material.is_imported else [])
            made = replace(made, topics=tuple(told) if made.overall else ())
        read_until = [*((first, last) for _, first, last in job.ranges), (range_.new_seq, range_.end_seq)]
        # The conversation before the shelf, as a message takes them, or the two could wait for each other for ever.
        await queries.count(unit.session, unit.viewer, here, summarised=covered(read_until, range_.end_seq + 1))
        if not await summaries.store(unit, lease.id, made):
            raise TakenOver
        await summary_queries.rest_on(unit.session, unit.viewer, here, lease.id, range_.end_seq + 1)
        await summary_queries.forget_old_digests(unit.session, unit.viewer, keep=KEPT_DIGESTS)
        if job.extraction and found is not None:
            await extract.keep_along(unit, job.extraction, found)
    milliseconds = made.generation_ms
    log.info("Summarized messages %d-%d for %s in %dms", range_.new_seq, range_.end_seq, here, milliseconds)
    if range_.start_seq > 0:
        log.info("Sliding window: dropping seq 0-%d for %s", range_.start_seq - 1, here)
    log.debug("Memory %s status updated to completed", lease.id)


def _talk(
    progress: Progress,
    turns: Sequence[tuple[int, bool]],
    ranges: Sequence[tuple[str, int, int]],
    *,
    is_closed: bool,
) -> Talk:
    later = [first for _, first, _ in ranges if first >= progress.read]
    return Talk(
        said=progress.said,
        read=progress.read,
        starts=starts_of(turns),
        is_answered=bool(turns) and not turns[-1][1],
        is_closed=is_closed,
        parked=progress.parked,
        begins=progress.digest_from,
        known_from=min(later, default=None),
    )


def _base(ranges: Sequence[tuple[str, int, int]], found: Range) -> str | None:
    """The version that ends before this one begins."""
    before = [(last, id) for id, _, last in ranges if last < found.new_seq]
    return max(before)[1] if before else None
