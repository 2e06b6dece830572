"""The exception tree. Every text is fit for a person to read; drivers' exceptions are translated in one place each.

KeepsakeError
├── DatabaseAway         PostgreSQL cannot be reached right now          (db/engine.py)
│   ├── Deadlock         rolled back by the database; worth another try  (db/engine.py)
│   ├── StatementTimeout a statement exceeded its time limit             (db/engine.py)
│   └── DatabaseHangs    it accepts the connection but does not answer   (db/engine.py)
├── DatabaseUnfit        PostgreSQL is too old, or its role too powerful (db/fitness.py, db/migrate.py)
├── WriteRefused         a constraint, a policy or a trigger refused     (db/engine.py)
├── EmbeddedServerError  the embedded PostgreSQL did not start       (db/embedded)
└── CodedError           carries a code of memory/refusals.py, and values
    ├── SettingsError    a variable is wrong; the start stops
    │   └── PortTaken    the address to listen on is taken or invalid
    ├── ModelAway        the model did not answer in time, or broke off  (memory/model/claude/failures.py)
    ├── AnswerUnfit      the model answered, but not in the required form (memory/model/claude/structured.py)
    ├── EmbedderAway     no vectors right now; search goes by words      (memory/retrieval/embedders)
    ├── TooBusy          too many long texts are waiting                 (memory/concurrency/in_process.py)
    ├── KeyMissing       sensitive content cannot be encrypted or read   (memory/privacy/vault.py)
    └── Refused          memory will not do that; the user or the model reads why
        └── NotFound     not there for this viewer: wrong id, deleted or another person's, all alike
"""

from db.errors import (
    DatabaseAway,
    DatabaseHangs,
    DatabaseUnfit,
    Deadlock,
    EmbeddedServerError,
    KeepsakeError,
    StatementTimeout,
    WriteRefused,
)
from db.vocabulary import Attribute, Category
from memory.refusals import SENTENCES, Refusal
from memory.shared_texts import ATTRIBUTES, CATEGORIES
from memory.translation import Plural, translate

__all__ = [
    "AnswerUnfit",
    "CodedError",
    "DatabaseAway",
    "DatabaseHangs",
    "DatabaseUnfit",
    "Deadlock",
    "EmbeddedServerError",
    "EmbedderAway",
    "KeepsakeError",
    "KeyMissing",
    "ModelAway",
    "NotFound",
    "PortTaken",
    "Refused",
    "SettingsError",
    "StatementTimeout",
    "TooBusy",
    "WriteRefused",
    "translate_error",
]


class CodedError(KeepsakeError):
    """An error whose sentence stands in the table of `memory/refusals.py`.

    A front end may give a finished sentence of its own instead of a code; it is in the user's language already.
    """

    def __init__(self, reason: Refusal | str = "", /, **values: object) -> None:
        self.code = reason if isinstance(reason, Refusal) else None
        self.values = values
        super().__init__(_in_english(reason, values) if isinstance(reason, Refusal) else reason)


def _in_english(code: Refusal, values: dict[str, object]) -> str:
    sentence = SENTENCES[code]
    if isinstance(sentence, Plural):
        sentence = sentence.english(str(values[sentence.gap]))
    return sentence.format(**values)


def translate_error(error: KeepsakeError) -> str:
    """What went wrong, in the current language; `str(error)` is English."""
    if not isinstance(error, CodedError) or error.code is None:
        return str(error)
    sentence = SENTENCES[error.code]
    values = {name: _label(value) for name, value in error.values.items()}
    return (sentence if isinstance(sentence, Plural) else translate(sentence)).format(**values)


def _label(value: object) -> object:
    """The name that people read of a category or a part of the profile; other values as they are."""
    match value:
        case Category():
            return translate(CATEGORIES[value])
        case Attribute():
            return translate(ATTRIBUTES[value])
        case _:
            return value


class SettingsError(CodedError):
    pass


class PortTaken(SettingsError):
    def __init__(self, variable: str, where: str, trouble: OSError | UnicodeError) -> None:
        why = getattr(trouble, "strerror", None) or "this machine has no such address"
        super().__init__(Refusal.PORT_TAKEN, variable=variable, where=where, why=why)


class ModelAway(CodedError):
    pass


class AnswerUnfit(CodedError):
    pass


class EmbedderAway(CodedError):
    pass


class TooBusy(CodedError):
    pass


class KeyMissing(CodedError):
    pass


class Refused(CodedError):
    """`field` is the part of the request that was wrong, if one was."""

    def __init__(self, reason: Refusal | str = "", /, *, field: str = "", **values: object) -> None:
        super().__init__(reason, **values)
        self.field = field


class NotFound(Refused):
    pass
