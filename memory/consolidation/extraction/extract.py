"""Looks through what people may have told of themselves: by itself, or along with a summary of the same messages."""

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
from memory.consolidation.extraction.drafts import Finding, Found, FoundFact, OwnMessage, checked
from memory.consolidation.extraction.keep import KeptFindings, compared_with, keep_findings
from memory.consolidation.jobs import MOST_ATTEMPTS, JobOutcome, Jobs, Lease, failed, held
from memory.consolidation.messages import read
from memory.consolidation.summaries.transcript import TranscriptLine, own_messages, transcript
from memory.errors import AnswerUnfit
from memory.facts import facts
from memory.language.terms import telling
from memory.model.structured import Written
from memory.model.usage import keep_usage
from memory.prompts import prompt
from memory.unit import Unit

MOST_MESSAGES, MOST_KNOWN = 60, 20
PURPOSE = "extraction"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """Messages that are ours to look through, from one number to another."""

    lease: Lease
    start_seq: int
    end_seq: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What of a model's findings stands in its owner's own words, how near it is to what is known, and what the owner
    chose."""

    findings: Sequence[Finding]
    distances: Mapping[str, Mapping[str, float]]
    mode: Mode


async def extract(jobs: Jobs, due: DueExtraction, now: datetime) -> bool:
    """Whether the messages were looked through."""
    async with jobs.memory.unit(due.viewer, now=now) as unit:
        progress = await queries.progress_of(unit.session, unit.viewer, due.conversation_id)
        if progress is None or progress.extracted >= progress.said:
            return False
        end = min(progress.said, progress.extracted + MOST_MESSAGES) - 1
        mine = await _claim(jobs, unit, due.conversation_id, progress.extracted, end)
    if mine is None:
        return False
    if mine.lease.attempt > MOST_ATTEMPTS:
        outcome = await failed(jobs, mine.lease, AnswerUnfit("Three attempts did not come to an end."))
    else:
        outcome = await held(jobs, mine.lease, partial(_look_through, jobs, mine, due.owners))
    if outcome is JobOutcome.GIVEN_UP:
        await _pass_over(jobs, mine)
    return outcome is JobOutcome.DONE


async def _look_through(jobs: Jobs, mine: ExtractionInput, owners: Sequence[str]) -> None:
    """One person after the other; each of them sees what is found in their own words, and nobody else does."""
    found = 0
    for owner in owners:
        found += await _of_one(jobs, mine, replace(mine.lease.viewer, user=owner))
    async with jobs.memory.unit(mine.lease.viewer) as unit:
        await _complete(unit, mine, found)
    log.info("Extracted from messages %d-%d for %s", mine.start_seq, mine.end_seq, mine.lease.conversation_id)


async def _of_one(jobs: Jobs, mine: ExtractionInput, viewer: Viewer) -> int:
    assert jobs.structured_llm is not None
    here = mine.lease.conversation_id
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        choices = await choices_of(unit.session, viewer)
        rows = await queries.said_between(unit.session, viewer, here, mine.start_seq, mine.end_seq)
        told = {row.seq for row in rows if TELLING in row.tags and row.user == viewer.user}
        around = [row for row in rows if not told.isdisjoint(range(row.seq - 1, row.seq + 2))]
        said = await read(unit, around, ZoneInfo(choices.timezone))
        known = await related(unit, own_messages(said, viewer.person).values())
    if not told or not said or choices.mode == Mode.MANUAL:
        return 0
    written = Written[Found]()
    try:
        text = transcript(said, timezone=choices.timezone, known=known, owner=viewer.person)
        answer = await jobs.structured_llm.write(prompt("extract"), text, Found, written)
        fit = await _checked(jobs, viewer, answer.facts, said, choices.mode)
        async with jobs.memory.unit(viewer, now=mine.lease.began) as unit:
            kept = await keep_findings(unit, fit.findings, fit.mode, fit.distances, mine.lease.id)
    finally:
        jobs.metrics.spent(written.spent, PURPOSE)
        async with jobs.memory.unit(viewer) as unit:
            await keep_usage(unit, here, written.spent, jobs.prices, purpose=PURPOSE)
    return len(kept)


# Along with a summary, in the same call and the same transaction: in private, where all is one person's.


async def claim_along(
    jobs: Jobs, unit: Unit, due: DueSummary, progress: Progress, new_seq: int, end_seq: int
) -> ExtractionInput | None:
    """Where all that was not looked through yet is among the messages of the summary."""
    is_among = new_seq <= progress.extracted <= min(end_seq, progress.telling - 1)
    if jobs.settings.extraction == "off" or unit.viewer.is_aloud or not is_among:
        return None
    if (await choices_of(unit.session, unit.viewer)).mode == Mode.MANUAL:
        return None
    if await queries.untold_secondhand(unit.session, unit.viewer, [due.conversation_id]):
        return None  # it waits for its turn, which a summary does not
    return await _claim(jobs, unit, due.conversation_id, progress.extracted, end_seq)


async def known_along(unit: Unit, mine: ExtractionInput | None, said: Sequence[TranscriptLine]) -> dict[str, str]:
    return await related(unit, own_messages(said, unit.viewer.person).values()) if mine else {}


async def checked_along(
    jobs: Jobs, mine: ExtractionInput | None, found: Sequence[FoundFact], said: Sequence[TranscriptLine]
) -> Checked | None:
    if mine is None:
        return None
    viewer = mine.lease.viewer
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        mode = (await choices_of(unit.session, viewer)).mode
    not_looked_through = [each for each in said if each.seq >= mine.start_seq]
    return await _checked(jobs, viewer, found, not_looked_through, mode)


async def keep_along(unit: Unit, mine: ExtractionInput, fit: Checked) -> KeptFindings:
    kept = await keep_findings(unit, fit.findings, fit.mode, fit.distances, mine.lease.id)
    await _complete(unit, mine, len(kept))
    return kept


async def let_go(jobs: Jobs, mine: ExtractionInput) -> None:
    """The summary came to nothing; the messages are looked through by themselves."""
    async with jobs.memory.unit(mine.lease.viewer) as unit:
        await queries.give_back(unit.session, unit.viewer, Row, mine.lease.id)


async def related(unit: Unit, messages: Iterable[OwnMessage]) -> dict[str, str]:
    """Known facts that share a word with what was said, so that a change of one can be told from something new."""
    said = telling(" ".join(message.text for message in messages))
    known = [row for row in await facts.own_facts(unit) if row.content and telling(row.content) & said]
    newest = sorted(known, key=lambda row: (row.updated_at, row.id), reverse=True)[:MOST_KNOWN]
    return {row.id: row.words for row in newest}


async def _checked(
    jobs: Jobs, viewer: Viewer, found: Sequence[FoundFact], said: Sequence[TranscriptLine], mode: Mode
) -> Checked:
    findings = checked(found, own_messages(said, viewer.person))
    async with jobs.memory.unit(viewer, read_only=True) as unit:
        worth = await compared_with(unit, findings)
    return Checked(findings, {bare: await jobs.likeness.distances(bare, of) for bare, of in worth.items()}, mode)


async def _claim(jobs: Jobs, unit: Unit, here: str, start: int, end: int) -> ExtractionInput | None:
    attempt = await queries.take_over(unit.session, Row, here, unit.now) + 1
    lease = Lease(Row, timed_id("ext", unit.now), here, unit.viewer, attempt, unit.now)
    begun = await queries.begin(
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
    return ExtractionInput(lease, start, end) if begun else None


async def _complete(unit: Unit, mine: ExtractionInput, found: int) -> None:
    if await queries.complete(unit.session, unit.viewer, Row, mine.lease.id, found=found):
        await queries.count(unit.session, unit.viewer, mine.lease.conversation_id, extracted=mine.end_seq + 1)


async def _pass_over(jobs: Jobs, mine: ExtractionInput) -> None:
    """What was given up does not keep later messages from being looked through."""
    async with jobs.memory.unit(mine.lease.viewer) as unit:
        await queries.count(unit.session, unit.viewer, mine.lease.conversation_id, extracted=mine.end_seq + 1)
