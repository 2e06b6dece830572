"""Who speaks in an export: filled in by a reader, and asked for its owner."""

from dataclasses import dataclass, field

BARE = 0xFFFFFFFF  # of a number that tells its kind in the bits above


@dataclass(slots=True)
class ExportedChat:
    id: str = ""
    type: str = ""
    is_old: bool = False
    """From before spring 2021, when numbers told their kind, and came without a word for it."""

    @property
    def number(self) -> str:
        return str(int(self.id) & BARE) if self.is_old and self.id.isdecimal() else self.id

    @property
    def key(self) -> str:
        """Numbers are counted by kind; a group that becomes a public one keeps its own."""
        if self.type.endswith("_group"):
            return f"group{self.number}"
        return f"channel{self.number}" if self.type.endswith(("_supergroup", "_channel")) else f"user{self.number}"

    @property
    def is_broadcast(self) -> bool:
        return self.type.endswith("_channel")


@dataclass(slots=True)
class Account:
    """Who speaks in an export, as far as it was read."""

    bot: str = ""
    """The bot of this house, where it is known; else it may be any."""
    owner_id: str = ""
    """The account that was exported, where it says so."""
    names: dict[str, str] = field(default_factory=dict)
    message_counts: dict[str, int] = field(default_factory=dict)
    candidates: set[str] = field(default_factory=set)
    """Who is left where the other side of a chat is known."""
    partners: set[str] = field(default_factory=set)
    """Those other sides."""
    chats: list[ExportedChat] = field(default_factory=list)
