"""The exception tree. Each carries a sentence that a person may read; drivers are translated at one seam each.

KeepsakeError
├── SettingsError        a variable is wrong; the start stops
├── DatabaseAway         PostgreSQL cannot be reached just now           (db/engine.py)
├── DatabaseUnfit        PostgreSQL is too old, or its role too powerful (db/fitness.py, db/migrate.py)
├── WriteRefused         a constraint, a policy or a trigger said no     (db/engine.py)
├── ServerTrouble        the embedded PostgreSQL did not start           (db/embedded)
├── ModelAway            the model did not answer in time, or broke off  (memory/llm.py)
└── ToolRefused          a tool will not do that; the model is told why
"""

from db.errors import DatabaseAway, DatabaseUnfit, KeepsakeError, ServerTrouble, WriteRefused

__all__ = [
    "DatabaseAway",
    "DatabaseUnfit",
    "KeepsakeError",
    "ModelAway",
    "ServerTrouble",
    "SettingsError",
    "ToolRefused",
    "WriteRefused",
]


class SettingsError(KeepsakeError):
    pass


class ModelAway(KeepsakeError):
    pass


class ToolRefused(KeepsakeError):
    pass
