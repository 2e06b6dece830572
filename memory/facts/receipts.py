"""Receipts: changes of facts as values, built from the committed row and never by a model; front ends word them."""

from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts.facts import FactRow


class ReceiptKind(StrEnum):
    STORED = "stored"
    KNOWN = "known"
    CHANGED = "changed"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    SHARED = "shared"
    UNSHARED = "unshared"


@dataclass(frozen=True, slots=True)
class Receipt:
    """One change of one fact. Show it only after the unit of work that made it has committed."""

    kind: ReceiptKind
    row: FactRow
    before: FactRow | None = None
    undoes: bool = False

    @classmethod
    def of_known(cls, row: FactRow, event_id: str | None) -> "Receipt":
        """The receipt for a fact that existed. If this very message stored it before a crash, it still counts as
        stored."""
        is_its_own = event_id is not None and row.source_event_id == event_id and row.version == 1
        return cls(ReceiptKind.STORED if is_its_own else ReceiptKind.KNOWN, row)

    @property
    def can_be_undone(self) -> bool:
        return self.kind != ReceiptKind.KNOWN and not self.undoes
