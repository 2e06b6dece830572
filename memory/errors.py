"""The exception tree. Each carries a sentence that a person may read; drivers are translated at one seam each.

KeepsakeError
├── SettingsError        a variable is wrong; the start stops
│   └── PortTaken        nobody can listen where it says
├── DatabaseAway         PostgreSQL cannot be reached just now           (db/engine.py)
│   ├── Collided         it took this back for another's sake: try again (db/engine.py)
│   ├── TooSlow          it answers, but not in the time we had          (db/engine.py)
│   └── DatabaseHangs    it takes what we send and says nothing          (db/engine.py)
├── DatabaseUnfit        PostgreSQL is too old, or its role too powerful (db/fitness.py, db/migrate.py)
├── WriteRefused         a constraint, a policy or a trigger said no     (db/engine.py)
├── ServerTrouble        the embedded PostgreSQL did not start           (db/embedded)
├── ModelAway            the model did not answer in time, or broke off  (memory/model/claude/trouble.py)
├── AnswerUnfit          it answered, but not what was asked for          (memory/model/claude/structured.py)
├── EmbedderAway         no vectors just now; what is kept is found by its words (memory/retrieval/embedders)
├── TooBusy              too much of the same waits already                (memory/concurrency/in_process.py)
├── KeyMissing           what is sensitive cannot be encrypted           (memory/privacy/vault.py)
└── Refused              memory will not do that; whoever asked, a person or a model, is told why
    └── NotFound         no such thing for this viewer: wrong, gone and another person's look alike
"""

from db.errors import (
    Collided,
    DatabaseAway,
    DatabaseHangs,
    DatabaseUnfit,
    KeepsakeError,
    ServerTrouble,
    TooSlow,
    WriteRefused,
)

__all__ = [
    "AnswerUnfit",
    "Collided",
    "DatabaseAway",
    "DatabaseHangs",
    "DatabaseUnfit",
    "EmbedderAway",
    "KeepsakeError",
    "KeyMissing",
    "ModelAway",
    "NotFound",
    "PortTaken",
    "Refused",
    "ServerTrouble",
    "SettingsError",
    "TooBusy",
    "TooSlow",
    "WriteRefused",
]


class SettingsError(KeepsakeError):
    pass


class PortTaken(SettingsError):
    def __init__(self, variable: str, where: str, trouble: OSError | UnicodeError) -> None:
        why = getattr(trouble, "strerror", None) or "it is no address of this machine"
        super().__init__("{variable}: {where} cannot be listened on: {why}.", variable=variable, where=where, why=why)


class ModelAway(KeepsakeError):
    pass


class AnswerUnfit(KeepsakeError):
    pass


class EmbedderAway(KeepsakeError):
    pass


class TooBusy(KeepsakeError):
    pass


class KeyMissing(KeepsakeError):
    pass


class Refused(KeepsakeError):
    """`field` is the part of the request that was wrong, where it was one."""

    def __init__(self, sentence: str = "", *, field: str = "", **filled: object) -> None:
        super().__init__(sentence, **filled)
        self.field = field


class NotFound(Refused):
    pass
