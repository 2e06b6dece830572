"""A bundle's report on itself: omissions, sensitive texts and provenance. Pure."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from db.viewer import Viewer
from db.vocabulary import Sensitivity
from memory.context.budget import Omission, PackedSections
from memory.context.gather import BundleRows
from memory.context.sections import DEFAULT_INTENT, INTENTS
from memory.privacy.channels import LOADABLE
from memory.retrieval.hits import Hit, RecallResult
from memory.retrieval.scoring import Weights

BLENDED = {"relevance", "recency", "importance"}


def not_gathered(rows: BundleRows, recalled: RecallResult) -> list[Omission]:
    """Return the omissions from before packing."""
    reasons = {**rows.not_gathered, "said_before_in_the_same_words": recalled.duplicate_ids}
    return [Omission(reason, tuple(left)) for reason, left in reasons.items() if left]


def truncated_outputs(hits: Sequence[Hit], packed: PackedSections) -> list[Omission]:
    """Return the tool results that were stored as excerpts, with the artifacts that have the rest."""
    shown = {ref for section in packed.sections for item in section.items for ref in item.refs}
    return [
        Omission("truncated_tool_output", (hit.event_id,), hit.full_artifact_id)
        for hit in hits
        if hit.full_artifact_id and hit.event_id and hit.chunk_id in shown
    ]


def sensitive_words(rows: BundleRows, hits: Sequence[Hit]) -> tuple[str, ...]:
    facts = [
        row.content
        for row in (*rows.pinned, *rows.facts_at_window_start, *rows.changed)
        if row.sensitivity == Sensitivity.HIGH
    ]
    decisions = [row.decision for row in rows.decisions if row.sensitivity == Sensitivity.HIGH]
    tasks = [row.title for row in rows.tasks if row.sensitivity == Sensitivity.HIGH]
    recalled = [hit.text for hit in hits if hit.is_sensitive]
    messages = [line.text for line in rows.lines if line.is_sensitive]
    summaries = [row.digest for row in rows.earlier if row.sensitivity == Sensitivity.HIGH]
    summaries += [rows.summary.text] if rows.summary and rows.summary.is_sensitive else []
    return tuple(words for words in (*facts, *decisions, *tasks, *recalled, *messages, *summaries) if words)


def provenance(
    viewer: Viewer, intent: str, weights: Weights, recalled: RecallResult, packed: PackedSections, tags: Sequence[str]
) -> dict[str, Any]:
    shown = {item.refs[0] for section in packed.sections for item in section.items}
    return {
        "intent": intent if intent in INTENTS else f"{DEFAULT_INTENT} (unknown: {intent[:64]})",
        "query_terms": list(recalled.terms),
        "candidate_pool_size": recalled.candidates,
        "scored": recalled.scored,
        "recall": {"how": recalled.how, "why_not": recalled.why_not, "milliseconds": recalled.milliseconds},
        "filters": {
            "channel": viewer.channel,
            "sensitivity_allowed": sorted(LOADABLE[viewer.channel]),
            "tags": list(tags),
        },
        "scoring": {
            "alpha": weights.relevance,
            "beta": weights.recency,
            "gamma": weights.importance,
            "relevance": {name: value for name, value in asdict(weights).items() if name not in BLENDED},
        },
        "hits": [
            {
                "chunk": hit.chunk_id,
                "event": hit.event_id,
                "score": round(hit.score, 4),
                "parts": {name: round(part, 4) for name, part in hit.parts.items()},
                "why": hit.why,
            }
            for hit in recalled.hits
            if hit.chunk_id in shown
        ],
    }
