"""The memory itself: storing, recalling and forgetting. Independent of Telegram and HTTP.

The names below are the public interface for front ends and other programs. Of `bot`, `api`, `keepsake` and `memory`,
only `memory` imports `db`. Names are imported on first use, so that a program that needs few of them starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from db.migrate import Progress as Progress
    from db.queries.events.inbox import Claimed as Claimed
    from db.queries.facts.facts import FactRow as FactRow
    from db.queries.facts.insights import ChangesOfDay as ChangesOfDay
    from db.queries.facts.listing import ListingSection as ListingSection
    from db.queries.facts.proposals import ProposalRow as ProposalRow
    from db.queries.ledgers.artifacts import ArtifactRow as ArtifactRow
    from db.queries.ledgers.decisions import DecisionRow as DecisionRow
    from db.queries.ledgers.handoffs import HandoffRow as HandoffRow
    from db.queries.ledgers.tasks import TaskRow as TaskRow
    from db.queries.ledgers.views import ViewRow as ViewRow
    from db.queries.model.usage import Sums as Sums
    from db.queries.people.keys import KeyRow as KeyRow
    from db.queries.people.people import Choices as Choices
    from db.queries.people.spaces import MemberRow as MemberRow
    from db.queries.people.spaces import SpaceRow as SpaceRow
    from db.viewer import Viewer as Viewer
    from db.viewer import personal_space as personal_space
    from db.vocabulary import ActorType as ActorType
    from db.vocabulary import Approval as Approval
    from db.vocabulary import ArtifactKind as ArtifactKind
    from db.vocabulary import Attribute as Attribute
    from db.vocabulary import Category as Category
    from db.vocabulary import Channel as Channel
    from db.vocabulary import DecisionScope as DecisionScope
    from db.vocabulary import DecisionStatus as DecisionStatus
    from db.vocabulary import EventKind as EventKind
    from db.vocabulary import Mode as Mode
    from db.vocabulary import ProposalKind as ProposalKind
    from db.vocabulary import Role as Role
    from db.vocabulary import Scope as Scope
    from db.vocabulary import Sensitivity as Sensitivity
    from db.vocabulary import SpaceKind as SpaceKind
    from db.vocabulary import SummaryStatus as SummaryStatus
    from db.vocabulary import TaskStatus as TaskStatus
    from db.vocabulary import ViewName as ViewName
    from db.vocabulary import ViewScope as ViewScope
    from db.vocabulary import Visibility as Visibility
    from memory.errors import DatabaseAway as DatabaseAway
    from memory.errors import KeepsakeError as KeepsakeError
    from memory.errors import ModelAway as ModelAway
    from memory.errors import Refused as Refused
    from memory.facts.proposals import Card as Card
    from memory.facts.receipts import Receipt as Receipt
    from memory.settings import Settings as Settings
    from memory.turn.chat import Chat as Chat
    from memory.turn.open_chat import GroupChat as GroupChat
    from memory.turn.open_chat import SenderInfo as SenderInfo
    from memory.turn.open_chat import open_chat as open_chat
    from memory.turn.outcome import KeepOutcome as KeepOutcome
    from memory.turn.outcome import NoticeCode as NoticeCode
    from memory.turn.outcome import Outcome as Outcome
    from memory.turn.outcome import TurnNotice as TurnNotice
    from memory.turn.state import UserMessage as UserMessage
    from memory.unit import Memory as Memory
    from memory.unit import Unit as Unit
    from memory.wiring import Runtime as Runtime
    from memory.wiring import open_memory as open_memory
    from memory.wiring import open_runtime as open_runtime

PUBLIC = {
    "db.migrate": "Progress",
    "db.queries.ledgers.artifacts": "ArtifactRow",
    "db.queries.ledgers.decisions": "DecisionRow",
    "db.queries.facts.facts": "FactRow",
    "db.queries.ledgers.handoffs": "HandoffRow",
    "db.queries.events.inbox": "Claimed",
    "db.queries.facts.insights": "ChangesOfDay",
    "db.queries.people.keys": "KeyRow",
    "db.queries.people.people": "Choices",
    "db.queries.facts.proposals": "ProposalRow",
    "db.queries.facts.listing": "ListingSection",
    "db.queries.people.spaces": "MemberRow SpaceRow",
    "db.queries.ledgers.tasks": "TaskRow",
    "db.queries.model.usage": "Sums",
    "db.queries.ledgers.views": "ViewRow",
    "db.viewer": "Viewer personal_space",
    "db.vocabulary": (
        "ActorType Approval ArtifactKind Attribute Category Channel DecisionScope DecisionStatus EventKind Mode "
        "ProposalKind Role Scope Sensitivity SpaceKind SummaryStatus TaskStatus ViewName ViewScope Visibility"
    ),
    "memory.errors": "DatabaseAway KeepsakeError ModelAway Refused",
    "memory.facts.proposals": "Card",
    "memory.facts.receipts": "Receipt",
    "memory.turn.chat": "Chat",
    "memory.turn.open_chat": "SenderInfo GroupChat open_chat",
    "memory.turn.outcome": "KeepOutcome NoticeCode Outcome TurnNotice",
    "memory.turn.state": "UserMessage",
    "memory.settings": "Settings",
    "memory.unit": "Memory Unit",
    "memory.wiring": "Runtime open_memory open_runtime",
}
MODULE_OF = {name: module for module, names in PUBLIC.items() for name in names.split()}

__all__ = [*MODULE_OF]


def __getattr__(name: str) -> Any:
    if name not in MODULE_OF:
        raise AttributeError(f"module 'memory' has no attribute {name!r}")
    value = getattr(import_module(MODULE_OF[name]), name)
    globals()[name] = value
    return value
