"""Errors of the database layer. `memory/errors.py` shows the whole tree."""


class KeepsakeError(Exception):
    """Any error of ours. `str(error)` is English and fit for a person to read."""


class DatabaseAway(KeepsakeError):
    """PostgreSQL cannot be reached right now; the same call may work later."""


class Deadlock(DatabaseAway):
    """A deadlock or a serialization failure rolled this transaction back; it can be tried again at once."""


class StatementTimeout(DatabaseAway):
    """A statement exceeded its time limit and was cancelled."""


class DatabaseHangs(DatabaseAway):
    """PostgreSQL accepts the connection but does not answer. A retry would only hang again."""


class DatabaseUnfit(KeepsakeError):
    """PostgreSQL answers, but Keepsake must not or cannot run on it as it is."""


class WriteRefused(KeepsakeError):
    """A constraint, a policy or a trigger of the database refused the write."""


class EmbeddedServerError(KeepsakeError):
    """The embedded PostgreSQL did not start."""
