"""Summaries: what was said in some messages, point by point, each with the messages it rests on.

A version holds the points of the messages that it read itself, and is written once, from those messages. The rolling
digest of a conversation is put together from the versions that reach into its window, so that no summary is ever made
from a summary, what leaves the window leaves the digest, and what is forgotten takes one version along.
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
from memory.privacy.forgetting.repeats import repeats_any
from memory.retrieval.chunks import LEAST_IMPORTANCE, chunks_of
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that was said, and the numbers of the messages in which it was."""

    text: str
    messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MadeSummary:
    """A version as it was made, to be stored."""

    points: tuple[Point, ...]
    digest: str
    refs: tuple[str, ...]
    """Every event that was read for it: it goes with each of them."""
    sensitivity: Sensitivity
    generation_ms: int
    overall: str = ""
    topics: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(point.text for point in self.points)


@dataclass(frozen=True, slots=True)
class Digest:
    """What a conversation was about, as a prompt shows it."""

    id: str
    text: str
    is_sensitive: bool = False
    versions: frozenset[str] = frozenset()
    """The versions that it was put together from."""


async def store(unit: Unit, summary_id: str, made: MadeSummary) -> bool:
    """Write a version whose making was begun, with its chunks; whether it was still ours to write. What is sensitive is
    sealed, and has none."""
    columns: dict[str, Any] = {
        "refs": list(made.refs),
        "generation_ms": made.generation_ms,
        "sensitivity": made.sensitivity,
    }
    words = {"text": made.text, "points": _spelled(made.points), "digest": made.digest or None}
    if made.sensitivity == Sensitivity.HIGH:
        columns["sealed"] = await unit.vault.seal(summary_id, words)
    else:
        columns |= {**words, "overall": made.overall or None, "topics": list(made.topics)}
    if not await complete(unit.session, unit.viewer, Summary, summary_id, **columns):
        return False
    if made.sensitivity != Sensitivity.HIGH:
        chunks = chunks_of(summary_id, made.text, LEAST_IMPORTANCE)
        await add_chunks_of_summary(unit.session, unit.viewer, chunks)
    return True


async def digest_of(unit: Unit, conversation_id: str, *, until: str | None = None) -> Digest | None:
    """The rolling digest of a conversation, as of its newest version or of one that is named."""
    rows = await queries.versions_shown(unit.session, unit.viewer, conversation_id, until=until)
    return compose(await unit.vault.opened(rows))


async def overview_of(unit: Unit) -> str:
    """The newest overview over the viewer's conversations; nothing where it repeats what they deleted."""
    row = await queries.latest_overview(unit.session, unit.viewer)
    told = (await unit.vault.opened([row]))[0].overall if row else None
    return told if told and not repeats_any(told, await deleted_versions(unit)) else ""


def compose(rows: Sequence[SummaryRow]) -> Digest | None:
    """Put a digest together from its versions, oldest first: their points that rest on a message of the window."""
    if not rows:
        return None
    newest = rows[-1]
    told = [point.text for row in rows for point in points_of(row) if max(point.messages) >= newest.start_seq]
    if not told:
        return None
    is_sensitive = any(row.sensitivity == Sensitivity.HIGH for row in rows)
    versions = frozenset(row.id for row in rows)
    return Digest(newest.id, "\n".join(f"- {text}" for text in told), is_sensitive, versions)


def points_of(row: SummaryRow) -> list[Point]:
    """Its points; where only its words are left, they are one."""
    if row.points is not None:
        return [Point(each["text"], tuple(each["messages"])) for each in row.points["points"]]
    return [Point(line, (row.end_seq,)) for line in (row.text or "").splitlines() if line.strip()]


def _spelled(points: Sequence[Point]) -> Mapping[str, Any]:
    return {"points": [{"text": point.text, "messages": list(point.messages)} for point in points]}
