"""What can go wrong below `memory`; the whole tree is drawn in `memory/errors.py`."""


class KeepsakeError(Exception):
    """Anything of ours; its text is fit for a person to read. What is filled in stands apart from the sentence, so that
    whoever shows it can say it in another language."""

    def __init__(self, sentence: str = "", **filled: object) -> None:
        super().__init__(sentence.format(**filled) if filled else sentence)
        self.sentence = sentence
        self.filled = filled


class DatabaseAway(KeepsakeError):
    """PostgreSQL cannot be reached just now; the same call may work later."""


class Collided(DatabaseAway):
    """Two transactions waited for each other, and this one was taken back whole; tried again it finds its way."""


class TooSlow(DatabaseAway):
    """A statement was given up, because it took longer than it was worth."""


class DatabaseHangs(DatabaseAway):
    """PostgreSQL can be reached and says nothing; to ask once more would only take as long again."""


class DatabaseUnfit(KeepsakeError):
    """PostgreSQL answers, but Keepsake must not or cannot run on it as it is."""


class WriteRefused(KeepsakeError):
    """A constraint, a policy or a trigger of the database said no."""


class ServerTrouble(KeepsakeError):
    """The embedded PostgreSQL did not start."""
