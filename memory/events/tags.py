"""Tags that only the program sets on an event; from outside they would be forged."""

from db.tables.events import IMPORTED, SECONDHAND, TELLING

__all__ = ["OUR_TAGS", "SECONDHAND"]

OUR_TAGS = frozenset({IMPORTED, SECONDHAND, TELLING})
