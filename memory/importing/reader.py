"""Reads an export from its first document to its last: once to know what it holds, and once more to bring it in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import tzinfo

from memory.importing.account import Account
from memory.importing.files import Export
from memory.importing.messages import ImportItem, OpenDocument


@dataclass(slots=True)
class ExportSummary:
    """How much there is, and who speaks. An export that cannot be read to its end makes none."""

    count: int = 0
    account: Account = field(default_factory=Account)


def scan_export(
    export: Export, timezone: tzinfo, notice: Callable[[int], None] = lambda seen: None, *, bot: str = ""
) -> ExportSummary:
    """`notice` is told how many bytes were read. `bot` is our own one in Telegram, as exports name it."""
    found = ExportSummary(account=Account(bot))
    for _ in _read(export, timezone, found.account, None, notice):
        found.count += 1
    return found


def read_export(export: Export, timezone: tzinfo, known: ExportSummary) -> Iterator[ImportItem]:
    return _read(export, timezone, Account(known.account.bot), known.account, lambda seen: None)


def _read(
    export: Export, timezone: tzinfo, account: Account, known: Account | None, notice: Callable[[int], None]
) -> Iterator[ImportItem]:
    if export.format.read is None:
        raise ValueError("our own export is loaded as a whole")
    before = 0
    for document in export.documents:
        with document.open() as file:
            notice_here = _after(before, notice)
            yield from export.format.read(OpenDocument(file, document.name, timezone, account, known, notice_here))
        before += document.size


def _after(before: int, notice: Callable[[int], None]) -> Callable[[int], None]:
    """Counts what was read of the documents before this one too."""
    return lambda seen: notice(before + seen)
