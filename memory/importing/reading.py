"""Reads an export from its first document to its last: once to know what it holds, and once more to bring it in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import tzinfo

from memory.importing import chatgpt, claude, telegram
from memory.importing.files import Export
from memory.importing.heard import Kind, Read
from memory.importing.letters import Letters
from memory.importing.pull import Pull
from memory.importing.telegram import Account


@dataclass(slots=True)
class Survey:
    """How much there is, and who speaks. An export that cannot be read to its end makes none."""

    count: int = 0
    account: Account = field(default_factory=Account)


def survey(
    export: Export, timezone: tzinfo, notice: Callable[[int], None] = lambda seen: None, *, bot: str = ""
) -> Survey:
    """`notice` is told how many bytes were read. `bot` is our own one in Telegram, as exports name it."""
    found = Survey(account=Account(bot))
    for _ in _read(export, timezone, found.account, None, notice):
        found.count += 1
    return found


def read(export: Export, timezone: tzinfo, known: Survey) -> Iterator[Read]:
    return _read(export, timezone, Account(known.account.bot), known.account, lambda seen: None)


def _read(
    export: Export, timezone: tzinfo, account: Account, known: Account | None, notice: Callable[[int], None]
) -> Iterator[Read]:
    before = 0
    for document in export.documents:
        with document.open() as file:
            pull = Pull(Letters(file, document.name, lambda seen, before=before: notice(before + seen)))  # type: ignore[misc]
            match export.kind:
                case Kind.TELEGRAM:
                    yield from telegram.read(pull, account, timezone, known)
                case Kind.CHATGPT:
                    yield from chatgpt.read(pull)
                case Kind.CLAUDE:
                    yield from claude.read(pull)
                case Kind.KEEPSAKE:
                    raise ValueError("our own export is loaded as a whole")
        before += document.size
