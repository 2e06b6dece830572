"""What the program tells the user was stored: made from a committed row, never from a model's words."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from db.queries.facts import FactRow


class ReceiptKind(StrEnum):
    STORED = "stored"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Receipt:
    kind: ReceiptKind
    fact_id: str
    version: int
    content: str
    at: datetime

    @classmethod
    def of(cls, kind: ReceiptKind, row: FactRow) -> "Receipt":
        return cls(kind, row.id, row.version, row.content, row.updated_at)
