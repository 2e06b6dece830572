"""The tables of sentences, of which some are keyed by plain words so that they are read without what they are about."""

from enum import StrEnum

from bot import texts
from memory.consolidation.rebuild import Stage
from memory.facts.receipts import ReceiptKind
from memory.importing.messages import SkipReason
from tests.tables import table


@table(
    ("told", "kinds"), [(texts.RECEIPTS, ReceiptKind), (texts.REBUILD_STAGES, Stage), (texts.IMPORT_LEFT, SkipReason)]
)
def test_every_kind_has_its_sentence(told: dict[str, str], kinds: type[StrEnum]) -> None:
    assert told.keys() == set(kinds)
