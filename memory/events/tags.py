"""Tags that only the program sets on an event; from outside they would be forged."""

from db.tables.events import IMPORTED, SECONDHAND, TELLING

__all__ = ["IMPORTED", "OUR_TAGS", "SECONDHAND", "TELLING"]

OUR_TAGS = frozenset({IMPORTED, SECONDHAND, TELLING})
