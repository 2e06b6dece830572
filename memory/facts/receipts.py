"""A change of a fact as a value, made from the committed row and never from a model; front ends make the line."""

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
    """One change of one fact. It may be shown when the unit of work that made it has ended, and not before."""

    kind: ReceiptKind
    row: FactRow
    before: FactRow | None = None
    undoes: bool = False

    @classmethod
    def of_known(cls, row: FactRow, event_id: str | None) -> "Receipt":
        """A message that is taken up again after a crash stores nothing new, and still tells what it stored."""
        is_its_own = event_id is not None and row.source_event_id == event_id and row.version == 1
        return cls(ReceiptKind.STORED if is_its_own else ReceiptKind.KNOWN, row)

    @property
    def can_be_undone(self) -> bool:
        return self.kind != ReceiptKind.KNOWN and not self.undoes
