"""For whom a transaction is opened; the wall shows this viewer's rows and no others."""

from dataclasses import dataclass

from db.vocabulary import Channel


@dataclass(frozen=True, slots=True)
class Viewer:
    """A person in a space; in a group the space itself, with no `user`."""

    tenant: str
    user: str | None
    space: str | None
    channel: Channel

    @classmethod
    def in_private(cls, tenant: str, user: str) -> "Viewer":
        """This person, alone with the assistant, in their personal space."""
        return cls(tenant, user, personal_space(user), Channel.PRIVATE)

    @classmethod
    def nobody(cls, tenant: str) -> "Viewer":
        """No person of this tenant: who finds out what is due in it, and whose a key or a link is."""
        return cls(tenant, None, None, Channel.PRIVATE)

    @property
    def person(self) -> str:
        """The user, where only a person can act."""
        if self.user is None:
            raise ValueError("this viewer is a space, and only a person can do that")
        return self.user

    @property
    def place(self) -> str:
        """The space, where a row must stand in one."""
        if self.space is None:
            raise ValueError("this viewer stands in no space")
        return self.space

    @property
    def is_aloud(self) -> bool:
        """Whether others hear it too: then the space speaks, not one person."""
        return self.channel in {Channel.PUBLIC, Channel.TEAM}


def personal_space(user: str) -> str:
    return f"personal:{user}"
