"""SQLAlchemy models of the tables. `db/schema` creates the tables, and a test compares the two."""

from db.tables.access import ApiKey, ApiRequest, AuditEntry, InboxItem, Post, Tenant, WebSession
from db.tables.background import Notice, Rebuild
from db.tables.base import Base
from db.tables.chunks import Chunk, Embedding, Posting, Shelf
from db.tables.events import Conversation, Event
from db.tables.facts import Fact, FactVersion, Proposal, SnapshotItem, Tombstone, Topic
from db.tables.ledgers import Artifact, Decision, Handoff, ProgramText, StoredBundle, Task, View
from db.tables.people import Invitation, Space, SpaceMember, User
from db.tables.summaries import Extraction, Summary
from db.tables.usage import Usage

__all__ = [
    "ApiKey",
    "ApiRequest",
    "Artifact",
    "AuditEntry",
    "Base",
    "Chunk",
    "Conversation",
    "Decision",
    "Embedding",
    "Event",
    "Extraction",
    "Fact",
    "FactVersion",
    "Handoff",
    "InboxItem",
    "Invitation",
    "Notice",
    "Post",
    "Posting",
    "ProgramText",
    "Proposal",
    "Rebuild",
    "Shelf",
    "SnapshotItem",
    "Space",
    "SpaceMember",
    "StoredBundle",
    "Summary",
    "Task",
    "Tenant",
    "Tombstone",
    "Topic",
    "Usage",
    "User",
    "View",
    "WebSession",
]
