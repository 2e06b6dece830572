"""Extracts facts from messages, in a call of its own or along with the summary of the same messages."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from db.ids import timed_id
from db.queries.consolidation import consolidation as queries
from db.queries.consolidation.consolidation import DueExtraction, DueSummary, Progress
from db.queries.people.people import choices_of
from db.tables import Extraction as Row
from db.tables.events import TELLING
from db.viewer import Viewer
from db.vocabulary import Mode
from memory.consolidation.extraction.drafts import ExtractedFact, ExtractionForm, FactForm, OwnMessage, check_facts
from memory.consolidation.extraction.keep import KeptFacts, comparable_facts, keep_facts
from memory.consolidation.jobs import MAX_ATTEMPTS, JobOutcome, Jobs, Lease, record_failure, run_leased
from memory.consolidation.messages import read_messages
from memory.consolidation.summaries.transcript import TranscriptLine, own_messages, transcript
from memory.errors import AnswerUnfit
from memory.facts import facts
from memory.language.terms import key_terms
from memory.model.structured import StructuredResult
from memory.model.usage import keep_usage
from memory.prompts import prompt
from memory.refusals import Refusal
from memory.unit import Unit

MAX_MESSAGES, MAX_KNOWN = 60, 20
PURPOSE = "extraction"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """A claimed range of messages to extract facts from."""

    lease: Lease
    start_seq: int
    end_seq: int


@dataclass(frozen=True, slots=True)
class CheckedFacts:
    """Checked candidates, their distances to known facts, and the owner's mode."""

    candidates: Sequence[ExtractedFact]
    distances: Mapping[str, Mapping[str, float]]
    mode: Mode


async def extract(jobs: Jobs, due: DueExtraction, now: datetime) -> bool:
    """Extract facts from the next range of a conversation. Return whether it was done."""
    async with jobs.memory.unit(due.viewer, now=now) as unit:
        progress = await queries.progress_of(unit.session, unit.viewer, due.conversation_id)
        if progress is None or progress.extracted >= progress.message_count:
            return False
        end = min(progress.message_count, progress.extracted + MAX_MESSAGES) - 1
        job = await _claim(jobs, unit, due.conversation_id, progress.extracted, end)
    if job is None:
        return False
    if job.lease.attempt > MAX_ATTEMPTS:
        outcome = await record_failure(jobs, job.lease, AnswerUnfit(Refusal.ANSWER_TRIES))
    else:
        outcome = await run_leased(jobs, job.lease, partial(_extract_all_owners, jobs, job, due.owners))
    if outcome is JobOutcome.GIVEN_UP:
        await _skip_range(jobs, job)
    return outcome is JobOutcome.DONE


async def _extract_all_owners(jobs: Jobs, job: ExtractionJob, owners: Sequence[str]) -> None:
    """Extract for one person after the other; each sees only facts in their own words."""
    kept_count = 0
    for owner in owners:
        kept_count += await _extract_for_owner(jobs, job, replace(job.lease.viewer, user=owner))
    async with jobs.memory.unit(job.lease.viewer) as unit:
        await _complete(unit, job, kept_count)
    log.info("Extracted from messages %d-%d for %s", job.start_seq, job.end_seq, job.lease.conversation_id)


async def _extract_for_owner(jobs: Jobs, job: ExtractionJob, viewer: Viewer) -> int:
    assert jobs.structured_llm is not None
    here = job.lease.conversation_id
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        choices = await choices_of(unit.session, viewer)
        rows = await queries.messages_between(unit.session, viewer, here, job.start_seq, job.end_seq)
        tagged = {row.seq for row in rows if TELLING in row.tags and row.user == viewer.user}
        nearby = [row for row in rows if not tagged.isdisjoint(range(row.seq - 1, row.seq + 2))]
        messages = await read_messages(unit, nearby, ZoneInfo(choices.timezone))
        known = await related_facts(unit, own_messages(messages, viewer.person).values())
    if not tagged or not messages or choices.mode == Mode.MANUAL:
        return 0
    result = StructuredResult[ExtractionForm]()
    try:
        text = transcript(messages, timezone=choices.timezone, known=known, owner=viewer.person)
        form = await jobs.structured_llm.write(prompt("extract"), text, ExtractionForm, result)
        checked = await _check(jobs, viewer, form.facts, messages, choices.mode)
        async with jobs.memory.unit(viewer, now=job.lease.began) as unit:
            kept = await keep_facts(unit, checked.candidates, checked.mode, checked.distances, job.lease.id)
    finally:
        jobs.metrics.add_tokens(result.attempts, PURPOSE)
        async with jobs.memory.unit(viewer) as unit:
            await keep_usage(unit, here, result.attempts, jobs.prices, purpose=PURPOSE)
    return len(kept)


# Along with a summary, in the same model call and transaction. Only in private, where all messages are one person's.


async def claim_with_summary(
    jobs: Jobs, unit: Unit, due: DueSummary, progress: Progress, new_seq: int, end_seq: int
) -> ExtractionJob | None:
    """Claim the extraction for a summary's model call, if the summary covers all messages still to be extracted."""
    is_covered = new_seq <= progress.extracted <= min(end_seq, progress.extractable_count - 1)
    if jobs.settings.extraction == "off" or unit.viewer.is_aloud or not is_covered:
        return None
    if (await choices_of(unit.session, unit.viewer)).mode == Mode.MANUAL:
        return None
    if await queries.with_pending_secondhand(unit.session, unit.viewer, [due.conversation_id]):
        return None  # imports are extracted at a limited pace; summaries are not
    return await _claim(jobs, unit, due.conversation_id, progress.extracted, end_seq)


async def known_facts_for(unit: Unit, job: ExtractionJob | None, messages: Sequence[TranscriptLine]) -> dict[str, str]:
    return await related_facts(unit, own_messages(messages, unit.viewer.person).values()) if job else {}


async def check_with_summary(
    jobs: Jobs, job: ExtractionJob | None, forms: Sequence[FactForm], messages: Sequence[TranscriptLine]
) -> CheckedFacts | None:
    if job is None:
        return None
    viewer = job.lease.viewer
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        mode = (await choices_of(unit.session, viewer)).mode
    unread = [message for message in messages if message.seq >= job.start_seq]
    return await _check(jobs, viewer, forms, unread, mode)


async def keep_with_summary(unit: Unit, job: ExtractionJob, checked: CheckedFacts) -> KeptFacts:
    kept = await keep_facts(unit, checked.candidates, checked.mode, checked.distances, job.lease.id)
    await _complete(unit, job, len(kept))
    return kept


async def release_job(jobs: Jobs, job: ExtractionJob) -> None:
    """Release the claim of a failed summary; a pass extracts the facts separately."""
    async with jobs.memory.unit(job.lease.viewer) as unit:
        await queries.give_back(unit.session, unit.viewer, Row, job.lease.id)


async def related_facts(unit: Unit, messages: Iterable[OwnMessage]) -> dict[str, str]:
    """Known facts that share a key term with the messages, so that the model can tell a change from a new fact."""
    terms = key_terms(" ".join(message.text for message in messages))
    known = [row for row in await facts.own_facts(unit) if row.content and key_terms(row.content) & terms]
    newest = sorted(known, key=lambda row: (row.updated_at, row.id), reverse=True)[:MAX_KNOWN]
    return {row.id: row.words for row in newest}


async def _check(
    jobs: Jobs, viewer: Viewer, forms: Sequence[FactForm], messages: Sequence[TranscriptLine], mode: Mode
) -> CheckedFacts:
    candidates = check_facts(forms, own_messages(messages, viewer.person))
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        comparable = await comparable_facts(unit, candidates)
    distances = {undated: await jobs.similarity.distances(undated, known) for undated, known in comparable.items()}
    return CheckedFacts(candidates, distances, mode)


async def _claim(jobs: Jobs, unit: Unit, here: str, start: int, end: int) -> ExtractionJob | None:
    attempt = await queries.take_over(unit.session, Row, here, unit.now) + 1
    lease = Lease(Row, timed_id("ext", unit.now), here, unit.viewer, attempt, unit.now)
    is_ours = await queries.begin(
        unit.session,
        unit.viewer,
        Row,
        id=lease.id,
        conversation_id=here,
        now=unit.now,
        lease_until=unit.now + jobs.lease,
        attempts=attempt,
        start_seq=start,
        end_seq=end,
    )
    return ExtractionJob(lease, start, end) if is_ours else None


async def _complete(unit: Unit, job: ExtractionJob, kept_count: int) -> None:
    if await queries.complete(unit.session, unit.viewer, Row, job.lease.id, found=kept_count):
        await queries.advance_progress(unit.session, unit.viewer, job.lease.conversation_id, extracted=job.end_seq + 1)


async def _skip_range(jobs: Jobs, job: ExtractionJob) -> None:
    """Skip a range that was given up, so that later messages are extracted."""
    async with jobs.memory.unit(job.lease.viewer) as unit:
        await queries.advance_progress(unit.session, unit.viewer, job.lease.conversation_id, extracted=job.end_seq + 1)
