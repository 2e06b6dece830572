"""Summaries: points about a range of messages, each citing its messages.

Each version summarises only the messages it read itself and is written once. A conversation's rolling digest combines
the versions that reach into its window. So no summary is made from a summary, what leaves the window leaves the digest,
and forgetting something deletes a single version.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.queries.consolidation import summaries as queries
from db.queries.consolidation.consolidation import complete
from db.queries.consolidation.summaries import SummaryRow
from db.queries.retrieval.chunks import add_chunks_of_summary
from db.tables import Summary
from db.vocabulary import Sensitivity
from memory.facts.listing import deleted_versions
from memory.privacy.forgetting.repeats import repeats_any_fact
from memory.retrieval.chunks import MIN_IMPORTANCE, make_chunks
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class SummaryPoint:
    """One statement, and the numbers of the messages it rests on."""

    text: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NewSummary:
    """A new version, to be stored."""

    points: tuple[SummaryPoint, ...]
    digest: str
    refs: tuple[str, ...]
    """The events that it was made from. If one is erased, so is the version."""
    sensitivity: Sensitivity
    generation_ms: int
    overall: str = ""
    topics: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(point.text for point in self.points)


@dataclass(frozen=True, slots=True)
class Digest:
    """A conversation's digest as shown in a prompt."""

    id: str
    text: str
    is_sensitive: bool = False
    versions: frozenset[str] = frozenset()
    """The versions it combines."""


async def store(unit: Unit, summary_id: str, summary: NewSummary) -> bool:
    """Store a claimed version and its chunks. Return False if the claim was lost. A sensitive version is sealed and has
    no chunks."""
    columns: dict[str, Any] = {
        "refs": list(summary.refs),
        "generation_ms": summary.generation_ms,
        "sensitivity": summary.sensitivity,
    }
    words = {"text": summary.text, "points": _as_json(summary.points), "digest": summary.digest or None}
    if summary.sensitivity == Sensitivity.HIGH:
        columns["sealed"] = await unit.vault.seal(summary_id, words)
    else:
        columns |= {**words, "overall": summary.overall or None, "topics": list(summary.topics)}
    if not await complete(unit.session, unit.viewer, Summary, summary_id, **columns):
        return False
    if summary.sensitivity != Sensitivity.HIGH:
        chunks = make_chunks(summary_id, summary.text, MIN_IMPORTANCE)
        await add_chunks_of_summary(unit.session, unit.viewer, chunks)
    return True


async def digest_of(unit: Unit, conversation_id: str, *, until: str | None = None) -> Digest | None:
    """The rolling digest of a conversation, as of its newest version or the version `until`."""
    rows = await queries.versions_shown(unit.session, unit.viewer, conversation_id, until=until)
    return compose(await unit.vault.open_rows(rows))


async def overview_of(unit: Unit) -> str:
    """The newest overview of the viewer's conversations; empty if it repeats deleted facts."""
    row = await queries.latest_overview(unit.session, unit.viewer)
    overview = (await unit.vault.open_rows([row]))[0].overall if row else None
    return overview if overview and not repeats_any_fact(overview, await deleted_versions(unit)) else ""


def compose(rows: Sequence[SummaryRow]) -> Digest | None:
    """Combine versions, oldest first, into a digest of the points that rest on a message of the window."""
    if not rows:
        return None
    newest = rows[-1]
    texts = [point.text for row in rows for point in points_of(row) if max(point.messages) >= newest.start_seq]
    if not texts:
        return None
    is_sensitive = any(row.sensitivity == Sensitivity.HIGH for row in rows)
    versions = frozenset(row.id for row in rows)
    return Digest(newest.id, "\n".join(f"- {text}" for text in texts), is_sensitive, versions)


def points_of(row: SummaryRow) -> list[SummaryPoint]:
    """The points of a version; if only its text is left, one per line."""
    if row.points is not None:
        return [SummaryPoint(each["text"], tuple(each["messages"])) for each in row.points["points"]]
    return [SummaryPoint(line, (row.end_seq,)) for line in (row.text or "").splitlines() if line.strip()]


def _as_json(points: Sequence[SummaryPoint]) -> Mapping[str, Any]:
    return {"points": [{"text": point.text, "messages": list(point.messages)} for point in points]}
