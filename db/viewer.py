"""The viewer of a transaction. The wall shows only the rows this viewer may read."""

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
        """A viewer without a person, to find due work and the owner of a key or link."""
        return cls(tenant, None, None, Channel.PRIVATE)

    @property
    def person(self) -> str:
        """The user. Raises if the viewer is not a person."""
        if self.user is None:
            raise ValueError("this viewer is a space; only a person can do that")
        return self.user

    @property
    def place(self) -> str:
        """The space. Raises if the viewer is in none."""
        if self.space is None:
            raise ValueError("this viewer is in no space")
        return self.space

    @property
    def is_aloud(self) -> bool:
        """True if others hear the reply too. It is then addressed to the space, not to one person."""
        return self.channel in {Channel.PUBLIC, Channel.TEAM}


def personal_space(user: str) -> str:
    return f"personal:{user}"
