"""Builds the bundle for a model call: recalls, gathers rows, and packs what fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from db.ids import timed_id
from db.queries.facts.facts import FactRow
from db.queries.people.people import Choices
from db.queries.retrieval.recall import RecallFilter
from db.viewer import Viewer
from db.vocabulary import ViewName
from memory.consolidation.summaries.summaries import Digest
from memory.context.budget import BudgetSection, Omission, PackedSections, pack_sections, window_start
from memory.context.bundle_report import not_gathered, provenance, sensitive_words, truncated_outputs
from memory.context.gather import BundleRows, WindowLine, blanks, gather_rows
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
from memory.context.snapshot import advance_snapshot
from memory.language.small_talk import needs_recall
from memory.language.terms import normalise
from memory.privacy.forgetting.repeats import repeats_any_fact
from memory.retrieval.hits import Hit, RecallResult, forgotten_spans
from memory.retrieval.recall import DEADLINE, recall
from memory.retrieval.scoring import Weights
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory

MAX_HITS = 200
LONGEST_MESSAGE = 4_000  # tokens of an earlier message
TAIL_RESERVE = 300  # tokens for the time and the program's notes, which surround the newest message


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """The settings for building a bundle."""

    max_tokens: int = DEFAULT_TOKENS
    window: int = 30
    """The minimum number of messages in the window."""
    step: int = 20
    """The start of the window moves by this many messages."""
    evidence_tokens: int = CAPS[SectionName.RETRIEVED_EVIDENCE].tokens
    deadline: timedelta = DEADLINE
    weights: Weights = field(default_factory=Weights)
    token_margin: float = 1.0
    """A factor on token estimates, for models that count more."""
    fixed_tokens: int = 0
    """Tokens of the instructions and tools, which every call contains."""
    is_transcript: bool = False
    """True for a transcript: its messages name their speakers, and anyone may speak first. Otherwise the messages are
    turns, and the first is a person's."""

    def weights_for(self, intent: Intent) -> Weights:
        if intent.weights is None:
            return self.weights
        relevance, recency, importance = intent.weights
        return replace(self.weights, relevance=relevance, recency=recency, importance=importance)

    @property
    def caps(self) -> Mapping[SectionName, Cap]:
        usual = CAPS[SectionName.RETRIEVED_EVIDENCE]
        return {**CAPS, SectionName.RETRIEVED_EVIDENCE: replace(usual, tokens=min(self.evidence_tokens, usual.tokens))}

    def cap(self, name: SectionName) -> int:
        """Return the token cap of a section. Below the default budget, all caps shrink in proportion."""
        return int(self.caps[name].tokens * min(self.budget / DEFAULT_TOKENS, 1.0))

    @property
    def budget(self) -> int:
        """The budget in estimated tokens, which the model counts as at most `max_tokens`."""
        return int(self.max_tokens / self.token_margin)

    @property
    def message_tokens(self) -> int:
        """Tokens for the newest message."""
        return max(int(RESERVE * min(self.budget / DEFAULT_TOKENS, 1.0)) - TAIL_RESERVE, 0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The context of a model call: its sections, omissions and provenance."""

    id: str
    now: datetime
    budget_tokens: int
    sections: tuple[BudgetSection, ...]
    omissions: tuple[Omission, ...]
    provenance: Mapping[str, Any] = field(hash=False)
    choices: Choices
    sensitive: tuple[str, ...] = ()
    """The sensitive texts in the bundle. A reply that repeats one is sensitive too."""

    @property
    def token_used_est(self) -> int:
        return sum(section.tokens for section in self.sections)

    @property
    def refs(self) -> frozenset[str]:
        """The ids of all items and of their sources."""
        return frozenset(ref for section in self.sections for item in section.items for ref in item.refs)

    def items(self, name: SectionName) -> tuple[Item, ...]:
        return next((section.items for section in self.sections if section.name == name), ())


async def build_bundle(
    memory: Memory,
    vectors: VectorIndex | None,
    viewer: Viewer,
    conversation_id: str,
    query: str,
    *,
    intent: str = DEFAULT_INTENT,
    max_tokens: int = DEFAULT_TOKENS,
    now: datetime,
    options: BundleOptions | None = None,
    without_event: str = "",
    agent_id: str = "",
    tags: Sequence[str] = (),
    sensitive: bool = False,
    recent_lines: Sequence[WindowLine] = (),
) -> Bundle:
    """Build the context for the next call in at most `max_tokens`. It only reads, and recall has a deadline.
    `recent_lines` are unstored messages that follow the stored ones."""
    options = replace(options or BundleOptions(), max_tokens=max_tokens)
    intended = INTENTS.get(intent, INTENTS[DEFAULT_INTENT])
    weights = options.weights_for(intended)
    recalled = RecallResult(how="not asked")
    if intended.recalls and needs_recall(query):
        only = RecallFilter(tags=tags, without_events=[without_event] if without_event else [])
        recalled = await recall(
            memory,
            vectors,
            viewer,
            query,
            now=now,
            limit=MAX_HITS,
            only=only,
            weights=weights,
            deadline=options.deadline,
            sensitive=sensitive,
        )
    async with memory.unit(viewer, now=now, read_only=True) as unit:
        rows = await gather_rows(
            unit,
            conversation_id,
            window=options.window,
            step=options.step,
            decided=recalled.decision_event_ids,
            agent_id=agent_id,
        )
    rows = replace(rows, lines=[*rows.lines, *recent_lines])
    packed = pack_rows(rows, recalled.hits, intended, options, query, without_event)
    return Bundle(
        id=timed_id("acb", now),
        now=now,
        budget_tokens=max_tokens,
        sections=packed.sections,
        omissions=(*packed.omissions, *not_gathered(rows, recalled), *truncated_outputs(recalled.hits, packed)),
        provenance=provenance(viewer, intent, weights, recalled, packed, tags),
        choices=rows.choices,
        sensitive=sensitive_words(rows, recalled.hits),
    )


def bare_bundle(recent_lines: Sequence[WindowLine], options: BundleOptions, now: datetime, choices: Choices) -> Bundle:
    """Return a bundle of recent messages only, for use while the database is away."""
    rows = BundleRows(choices, "", (), (), (), (), None, recent_lines, (), (), None, {})
    packed = pack_rows(rows, (), INTENTS["chat"], options, "", "")
    return Bundle(timed_id("acb", now), now, options.max_tokens, packed.sections, packed.omissions, {}, choices)


def pack_rows(
    rows: BundleRows, hits: Sequence[Hit], intent: Intent, options: BundleOptions, query: str, without_event: str
) -> PackedSections:
    """Turn rows and hits into items and pack those that fit. Pure."""
    window, outgrown = window_items(rows, options, without_event)
    memory_room = options.cap(SectionName.MEMORY) - SECTIONS[SectionName.MEMORY].heading_tokens
    snapshot, changed = advance_snapshot(rows.pinned, rows.facts_at_window_start, rows.changed, memory_room)
    shown = {ref for item in window for ref in item.refs}
    shown_texts = {normalise(line.text) for line in rows.lines if line.event_id in shown} | {normalise(query)}
    digested = rows.summary.versions if rows.summary else ()
    evidence = [
        hit
        for hit in hits
        if hit.event_id not in shown and hit.summary_id not in digested and normalise(hit.text) not in shown_texts
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
        SectionName.RETRIEVED_EVIDENCE: [_evidence(hit, rows.hidden) for hit in evidence],
        SectionName.RECENT_WINDOW: window,
    }
    items = {name: section_items for name, section_items in items.items() if name not in intent.without}
    packed = pack_sections(items, max_tokens=options.budget, caps=options.caps, fixed_tokens=options.fixed_tokens)
    if SectionName.RECENT_WINDOW in intent.without or not outgrown:
        return packed
    return replace(packed, omissions=(Omission("outgrown_by_recent_window", outgrown), *packed.omissions))


def window_items(rows: BundleRows, options: BundleOptions, without_event: str) -> tuple[list[Item], tuple[str, ...]]:
    """Return the messages before the newest one, and the ids of those that no longer fit. The first message starts an
    exchange. Messages from RAM have no event id."""
    lines = [line for line in rows.lines if line.event_id != (without_event or None) and line.text.strip()]
    while lines and not (options.is_transcript or lines[0].by_human):
        lines.pop(0)
    cap = options.cap(SectionName.RECENT_WINDOW)
    most = min(LONGEST_MESSAGE, cap // 3)
    items = [
        message_item(
            line.event_id,
            line.by_human,
            line.text,
            line.blanks,
            most,
            frame=line.frame,
            hidden_parts=line.hidden_parts,
            speaker=line.speaker if options.is_transcript else "",
        )
        for line in lines
    ]
    starts = [options.is_transcript or line.by_human for line in lines]
    first = window_start([item.tokens for item in items], starts, cap - 64)
    return items[first:], tuple(item.refs[0] for item in items[:first])


def _summary(digest: Digest, hidden: Sequence[FactRow]) -> Item:
    return summary_item(digest.id, digest.text, blanks(digest.text, hidden, None, by_human=False))


def _earlier(rows: BundleRows) -> list[Item]:
    """The overview and the digests of other conversations, except those that repeat deleted facts."""
    overview = [overall_item(rows.overall)] if rows.overall else []
    items = [*overview, *(digest_item(row) for row in rows.earlier)]
    return [item for item in items if not repeats_any_fact(item.text, rows.hidden)]


def _evidence(hit: Hit, hidden: Sequence[FactRow]) -> Item:
    source = hit.event_id or hit.artifact_id or hit.chunk_id
    spans = forgotten_spans(hit, hidden)
    return evidence_item(
        hit.chunk_id,
        source,
        hit.part,
        hit.speaker,
        hit.ts,
        hit.text,
        spans,
        superseded=hit.is_superseded,
        whole=hit.full_artifact_id,
    )
