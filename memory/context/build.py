"""Builds the bundle for one model call: recalls, gathers, and lets the budget decide what fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from db.ids import timed_id
from db.queries.facts.facts import FactRow
from db.queries.people.people import Choices
from db.queries.retrieval.recall import Only
from db.viewer import Viewer
from db.vocabulary import ViewName
from memory.consolidation.summaries.summaries import Digest
from memory.context.budget import BudgetSection, Omission, Packed, pack, window_start
from memory.context.bundle_report import excerpts, left_behind, provenance, sensitive_words
from memory.context.gather import Gathered, WindowLine, blanks, gather
from memory.context.items import (
    Item,
    decision_item,
    digest_item,
    evidence_item,
    fact_item,
    handoff_item,
    message_item,
    overall_item,
    space_item,
    summary_item,
    task_item,
    view_item,
)
from memory.context.sections import (
    CAPS,
    DEFAULT_INTENT,
    DEFAULT_TOKENS,
    INTENTS,
    RESERVE,
    SECTIONS,
    Cap,
    Intent,
    SectionName,
)
from memory.context.snapshot import moved_on
from memory.language.small_talk import needs_recall
from memory.language.terms import plain
from memory.privacy.forgetting.repeats import repeats_any
from memory.retrieval.hits import Hit, Recalled, forgotten_in
from memory.retrieval.recall import DEADLINE, recall
from memory.retrieval.scoring import Weights
from memory.retrieval.vectors import Vectors
from memory.unit import Memory

MOST_HITS = 200
LONGEST_MESSAGE = 4_000  # tokens of a message that was said before
AROUND = 300


@dataclass(frozen=True, slots=True)
class Shape:
    """What a bundle may be like; all of it is a setting."""

    max_tokens: int = DEFAULT_TOKENS
    window: int = 30
    step: int = 20
    evidence: int = CAPS[SectionName.RETRIEVED_EVIDENCE].tokens
    deadline: timedelta = DEADLINE
    weights: Weights = field(default_factory=Weights)
    margin: float = 1.0
    """A factor on every estimate, for models that count more."""
    spent: int = 0
    """Tokens that stand around the bundle in every call: instructions and tools."""
    is_transcript: bool = False
    """Messages name who spoke, and the first may be anybody's; a model's turns have roles and begin with a person."""

    def for_intent(self, intent: Intent) -> Weights:
        if intent.weights is None:
            return self.weights
        relevance, recency, importance = intent.weights
        return replace(self.weights, relevance=relevance, recency=recency, importance=importance)

    @property
    def caps(self) -> Mapping[SectionName, Cap]:
        usual = CAPS[SectionName.RETRIEVED_EVIDENCE]
        return {**CAPS, SectionName.RETRIEVED_EVIDENCE: replace(usual, tokens=min(self.evidence, usual.tokens))}

    def cap(self, name: SectionName) -> int:
        """What a section may cost; with fewer tokens than the default every cap shrinks alike."""
        return int(self.caps[name].tokens * min(self.budget / DEFAULT_TOKENS, 1.0))

    @property
    def budget(self) -> int:
        """Estimated tokens that a model with its margin counts as `max_tokens` at most."""
        return int(self.max_tokens / self.margin)

    @property
    def payload(self) -> int:
        """Tokens for the newest message; around it stand the clock and the notes of the program."""
        return max(int(RESERVE * min(self.budget / DEFAULT_TOKENS, 1.0)) - AROUND, 0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The context of one model call, what it cost, what was left out, and where all of it came from."""

    id: str
    now: datetime
    budget_tokens: int
    sections: tuple[BudgetSection, ...]
    omissions: tuple[Omission, ...]
    provenance: Mapping[str, Any] = field(hash=False)
    choices: Choices
    sensitive: tuple[str, ...] = ()
    """Sensitive words that stand in it: an answer that repeats one is sensitive too."""

    @property
    def token_used_est(self) -> int:
        return sum(section.tokens for section in self.sections)

    @property
    def refs(self) -> frozenset[str]:
        """The ids of all that stands in it, and of what that rests on."""
        return frozenset(ref for section in self.sections for item in section.items for ref in item.refs)

    def items(self, name: SectionName) -> tuple[Item, ...]:
        return next((section.items for section in self.sections if section.name == name), ())


async def build_bundle(
    memory: Memory,
    vectors: Vectors | None,
    viewer: Viewer,
    conversation_id: str,
    query: str,
    *,
    intent: str = DEFAULT_INTENT,
    max_tokens: int = DEFAULT_TOKENS,
    now: datetime,
    shape: Shape | None = None,
    without_event: str = "",
    agent_id: str = "",
    tags: Sequence[str] = (),
    sensitive: bool = False,
    heard: Sequence[WindowLine] = (),
) -> Bundle:
    """Everything the next call needs of what is kept, never more than `max_tokens`. Read only, and nothing waits for
    longer than the deadline of recall. `heard` are messages that are not kept, and stand after those that are."""
    shaped = replace(shape or Shape(), max_tokens=max_tokens)
    wanted = INTENTS.get(intent, INTENTS[DEFAULT_INTENT])
    weights = shaped.for_intent(wanted)
    recalled = Recalled(how="not asked")
    if wanted.recalls and needs_recall(query):
        only = Only(tags=tags, without_events=[without_event] if without_event else [])
        recalled = await recall(
            memory,
            vectors,
            viewer,
            query,
            now=now,
            limit=MOST_HITS,
            only=only,
            weights=weights,
            deadline=shaped.deadline,
            sensitive=sensitive,
        )
    async with memory.unit(viewer, now=now, read_only=True) as unit:
        rows = await gather(
            unit,
            conversation_id,
            window=shaped.window,
            step=shaped.step,
            decided=recalled.decided,
            agent_id=agent_id,
        )
    rows = replace(rows, lines=[*rows.lines, *heard])
    packed = assemble(rows, recalled.hits, wanted, shaped, query, without_event)
    return Bundle(
        id=timed_id("acb", now),
        now=now,
        budget_tokens=max_tokens,
        sections=packed.sections,
        omissions=(*packed.omissions, *left_behind(rows, recalled), *excerpts(recalled.hits, packed)),
        provenance=provenance(viewer, intent, weights, recalled, packed, tags),
        choices=rows.choices,
        sensitive=sensitive_words(rows, recalled.hits),
    )


def bare_bundle(heard: Sequence[WindowLine], shape: Shape, now: datetime, choices: Choices) -> Bundle:
    """The last messages alone, where nothing can be read."""
    rows = Gathered(choices, "", (), (), (), (), None, heard, (), (), None, {})
    packed = assemble(rows, (), INTENTS["chat"], shape, "", "")
    return Bundle(timed_id("acb", now), now, shape.max_tokens, packed.sections, packed.omissions, {}, choices)


def assemble(
    rows: Gathered, hits: Sequence[Hit], intent: Intent, shape: Shape, query: str, without_event: str
) -> Packed:
    """Rows and hits as items in their sections, as many as fit. Pure."""
    window, outgrown = window_items(rows, shape, without_event)
    memory_room = shape.cap(SectionName.MEMORY) - SECTIONS[SectionName.MEMORY].heading_tokens
    snapshot, changed = moved_on(rows.pinned, rows.stood, rows.changed, memory_room)
    shown = {ref for item in window for ref in item.refs}
    said = {plain(line.text) for line in rows.lines if line.event_id in shown} | {plain(query)}
    digested = rows.summary.versions if rows.summary else ()
    told = [
        hit
        for hit in hits
        if hit.event_id not in shown and hit.summary_id not in digested and plain(hit.text) not in said
    ]
    items: dict[SectionName, Sequence[Item]] = {
        SectionName.IDENTITY: [
            *([space_item(rows.subject)] if rows.subject else []),
            *(view_item(view) for view in rows.views if view.name == ViewName.IDENTITY),
        ],
        SectionName.RULES: [view_item(view) for view in rows.views if view.name == ViewName.RULES],
        SectionName.TASK_STATE: [task_item(row) for row in rows.tasks],
        SectionName.DECISION_LEDGER: [decision_item(row) for row in rows.decisions],
        SectionName.HANDOFF_PACKET: [handoff_item(rows.handoff)] if rows.handoff else [],
        SectionName.EARLIER: _earlier(rows),
        SectionName.MEMORY: [fact_item(row) for row in snapshot],
        SectionName.MEMORY_CHANGES: [fact_item(row) for row in changed],
        SectionName.SUMMARY: [_summary(rows.summary, rows.hidden)] if rows.summary else [],
        SectionName.RETRIEVED_EVIDENCE: [_evidence(hit, rows.hidden) for hit in told],
        SectionName.RECENT_WINDOW: window,
    }
    items = {name: found for name, found in items.items() if name not in intent.without}
    packed = pack(items, max_tokens=shape.budget, caps=shape.caps, spent=shape.spent)
    if SectionName.RECENT_WINDOW in intent.without or not outgrown:
        return packed
    return replace(packed, omissions=(Omission("outgrown_by_recent_window", outgrown), *packed.omissions))


def window_items(rows: Gathered, shape: Shape, without_event: str) -> tuple[list[Item], tuple[str, ...]]:
    """The messages before the newest one, from where an exchange starts; and those that it outgrew. Words that are in
    RAM alone are no event."""
    said = [line for line in rows.lines if line.event_id != (without_event or None) and line.text.strip()]
    while said and not (shape.is_transcript or said[0].by_human):
        said.pop(0)
    cap = shape.cap(SectionName.RECENT_WINDOW)
    most = min(LONGEST_MESSAGE, cap // 3)
    items = [
        message_item(
            line.event_id,
            line.by_human,
            line.text,
            line.blanks,
            most,
            frame=line.frame,
            unsaid=line.unsaid,
            speaker=line.speaker if shape.is_transcript else "",
        )
        for line in said
    ]
    starts = [shape.is_transcript or line.by_human for line in said]
    first = window_start([item.tokens for item in items], starts, cap - 64)
    return items[first:], tuple(item.refs[0] for item in items[:first])


def _summary(digest: Digest, hidden: Sequence[FactRow]) -> Item:
    return summary_item(digest.id, digest.text, blanks(digest.text, hidden, None, by_human=False))


def _earlier(rows: Gathered) -> list[Item]:
    """An overview and the digests of other conversations; one that repeats what was deleted is left out."""
    whole = [overall_item(rows.overall)] if rows.overall else []
    items = [*whole, *(digest_item(row) for row in rows.earlier)]
    return [item for item in items if not repeats_any(item.text, rows.hidden)]


def _evidence(hit: Hit, hidden: Sequence[FactRow]) -> Item:
    source = hit.event_id or hit.artifact_id or hit.chunk_id
    spans = forgotten_in(hit, hidden)
    return evidence_item(
        hit.chunk_id,
        source,
        hit.part,
        hit.speaker,
        hit.ts,
        hit.text,
        spans,
        superseded=hit.is_superseded,
        whole=hit.whole,
    )
