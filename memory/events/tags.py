"""Event tags that only the program may set. From outside they would be forged."""

from db.tables.events import IMPORTED, SECONDHAND, TELLING

__all__ = ["RESERVED_TAGS", "SECONDHAND"]

RESERVED_TAGS = frozenset({IMPORTED, SECONDHAND, TELLING})
