"""The sections of a bundle, what each may cost, and what an intent changes; data, no decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

DEFAULT_TOKENS = 65_000
RESERVE = 8_800  # headroom for the message and for the results of tools


class SectionName(StrEnum):
    IDENTITY = "identity"
    RULES = "rules"
    TASK_STATE = "task_state"
    DECISION_LEDGER = "decision_ledger"
    HANDOFF_PACKET = "handoff_packet"
    EARLIER = "earlier_conversations"
    MEMORY = "memory"
    MEMORY_CHANGES = "memory_changes"
    SUMMARY = "summary"
    RETRIEVED_EVIDENCE = "retrieved_evidence"
    RECENT_WINDOW = "recent_window"


@dataclass(frozen=True, slots=True)
class Cap:
    """At most so many tokens; what has the higher priority is packed first."""

    tokens: int
    priority: int


# What is remembered, what changed of it and the summaries come out of the 28,000 tokens of the evidence. With the
# reserve it is 65,000.
CAPS: Mapping[SectionName, Cap] = {
    SectionName.IDENTITY: Cap(1_200, 10),
    SectionName.RULES: Cap(6_000, 9),
    SectionName.TASK_STATE: Cap(3_000, 8),
    SectionName.DECISION_LEDGER: Cap(4_000, 7),
    SectionName.HANDOFF_PACKET: Cap(6_000, 7),
    SectionName.EARLIER: Cap(1_200, 6),
    SectionName.MEMORY: Cap(6_000, 6),
    SectionName.MEMORY_CHANGES: Cap(2_000, 6),
    SectionName.SUMMARY: Cap(2_000, 6),
    SectionName.RETRIEVED_EVIDENCE: Cap(16_800, 6),
    SectionName.RECENT_WINDOW: Cap(8_000, 5),
}


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody wants a bundle for: what counts in recall, and which sections are of no use then."""

    weights: tuple[float, float, float] | None = None
    """Of relevance, recency and importance, where it wants other ones than the settings."""
    without: frozenset[SectionName] = frozenset()
    recalls: bool = True


DEFAULT_INTENT = "default"
INTENTS: Mapping[str, Intent] = {
    DEFAULT_INTENT: Intent(),
    "chat": Intent(without=frozenset({SectionName.HANDOFF_PACKET})),
    # What was settled counts more than what was said last.
    "decision": Intent((0.6, 0.1, 0.3)),
    "repo_onboarding": Intent((0.7, 0.2, 0.1), without=frozenset({SectionName.HANDOFF_PACKET})),
    # Whoever takes over needs the packet and the open ends, not the chatter before.
    "handoff": Intent(without=frozenset({SectionName.RECENT_WINDOW, SectionName.SUMMARY})),
    "status": Intent(
        recalls=False, without=frozenset({SectionName.EARLIER, SectionName.MEMORY, SectionName.HANDOFF_PACKET})
    ),
}
