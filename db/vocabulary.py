"""The words that columns may hold; a test compares them with the CHECK constraints of the database.

The docstrings of `Category` and `Attribute` stand in the schemas that models and API clients read.
"""

from enum import StrEnum


class Channel(StrEnum):
    """How private the present audience is."""

    PRIVATE = "private"
    TEAM = "team"
    PUBLIC = "public"
    AGENT = "agent"


class Sensitivity(StrEnum):
    """How careful a reader must be, in rising order. There is no `secret`: a secret is never written."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"

    @classmethod
    def most(cls, *levels: "Sensitivity") -> "Sensitivity":
        """The highest of these levels."""
        return max(levels, key=list(cls).index)


class Visibility(StrEnum):
    PRIVATE = "private"
    SHARED = "shared"


class Mode(StrEnum):
    """What happens to a fact that nobody ordered to be kept."""

    CONFIRM = "confirm"
    AUTO = "auto"
    MANUAL = "manual"


class SpaceKind(StrEnum):
    PERSONAL = "personal"
    GROUP = "group"
    NAMED = "named"


class Role(StrEnum):
    OWNER = "owner"
    MEMBER = "member"


class ActorType(StrEnum):
    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"


class EventKind(StrEnum):
    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    DECISION = "decision"
    TASK_UPDATE = "task_update"
    ARTIFACT = "artifact"


class Category(StrEnum):
    """What a fact is about."""

    PERSON = "person"
    PREFERENCE = "preference"
    CONTEXT = "context"
    PROJECT = "project"
    PERSONALITY = "personality"
    HOBBY = "hobby"
    RELATIONSHIP = "relationship"
    MILESTONE = "milestone"
    OCCUPATION = "occupation"
    HABIT = "habit"
    OTHER = "other"


class Attribute(StrEnum):
    """The fields of the structured profile; the first six hold one value, the others several."""

    NAME = "name"
    PREFERRED_NAME = "preferred_name"
    OCCUPATION = "occupation"
    LOCATION = "location"
    COMMUNICATION_STYLE = "communication_style"
    FAITH = "faith"
    INTEREST = "interest"
    FAMILY_MEMBER = "family_member"
    GOAL = "goal"
    IMPORTANT_DATE = "important_date"
    INTERACTION_PREFERENCE = "interaction_preference"
    CUSTOM = "custom"


ONE_VALUE = frozenset(
    {
        Attribute.NAME,
        Attribute.PREFERRED_NAME,
        Attribute.OCCUPATION,
        Attribute.LOCATION,
        Attribute.COMMUNICATION_STYLE,
        Attribute.FAITH,
    }
)


class Approval(StrEnum):
    """How the owner of a fact came to approve a change of it."""

    ORDER = "order"  # an explicit order in the message of that turn
    WORDS = "words"  # the changed words stood in the message of that turn
    YES = "yes"  # a plain yes to the one card that was shown
    CARD = "card"  # the button of a card, or the equivalent command
    COMMAND = "command"  # typed it themselves
    AUTO = "auto"  # chose the mode that asks for no approval
    IMPORT = "import"
    MEMBERSHIP = "membership"  # left a space, and the fact became private again


class ProposalKind(StrEnum):
    ADD = "add"
    UPDATE = "update"
    FORGET = "forget"


class ProposalStatus(StrEnum):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"


class SummaryStatus(StrEnum):
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


class NoticeKind(StrEnum):
    RECEIPT = "receipt"
    CARDS = "cards"
    REMINDER = "reminder"


class DecisionStatus(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"


class DecisionScope(StrEnum):
    PROJECT = "project"
    USER = "user"
    GLOBAL = "global"


class TaskStatus(StrEnum):
    OPEN = "open"
    DOING = "doing"
    DONE = "done"


class ViewName(StrEnum):
    IDENTITY = "identity"
    RULES = "rules"


class ViewScope(StrEnum):
    USER = "user"
    SPACE = "space"


class InboxState(StrEnum):
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    PARKED = "parked"


class ArtifactKind(StrEnum):
    TOOL_OUTPUT = "tool_output"
    BLOB = "blob"
    DOCUMENT = "document"


class Scope(StrEnum):
    """What an API key may do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
