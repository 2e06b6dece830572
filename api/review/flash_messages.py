"""Flash messages: what a form has done, shown on the page it redirects to.

The URL names them by signed ids, so it holds no user text and nobody else can forge a message.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from fastapi.responses import RedirectResponse

from api.review.language import texts
from memory import FactRow
from memory.errors import NotFound
from memory.facts.history import change_of, history, undoable_version
from memory.facts.receipts import Receipt, ReceiptKind
from memory.people.links import BrowserSession, is_signed, signature_of
from memory.privacy.encryption import Keyring
from memory.translation import Plural
from memory.unit import Unit

FIELD = "flash"
MOST = 60
FLASH_PATTERN = re.compile(r"([a-z_]{1,30})(?:\.([A-Za-z0-9_@:-]{1,80}))?(?:\.(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class FlashMessage:
    """One thing that was done: a kind of receipt with the fact and its version, or a name in `texts.NOTES`."""

    kind: str
    id: str = ""
    version: int = 0

    @classmethod
    def of(cls, receipt: Receipt) -> "FlashMessage":
        return cls(receipt.kind, receipt.row.id, receipt.row.version)

    def __str__(self) -> str:
        return ".".join([self.kind, *([self.id] if self.id else []), *([str(self.version)] if self.version else [])])


@dataclass(frozen=True, slots=True)
class FlashLine:
    """A sentence to show, with what fills its gaps. `undo` is the fact whose change can be undone."""

    sentence: str | Plural
    gaps: dict[str, str]
    is_good: bool = True
    undo: FactRow | None = None


def redirect(url: str, keyring: Keyring, session: BrowserSession, *flashes: FlashMessage) -> RedirectResponse:
    """Redirect to a page that shows these messages."""
    if flashes:
        ids = ",".join(map(str, flashes[:MOST]))
        signed = f"{ids}~{signature_of(keyring, session, ids)}"
        url = f"{url}{'&' if '?' in url else '?'}{FIELD}={quote(signed)}"
    return RedirectResponse(url, HTTPStatus.SEE_OTHER)


async def load_flashes(unit: Unit, keyring: Keyring, session: BrowserSession, signed: str) -> list[FlashLine]:
    """Return the messages that the URL names, from the current rows; none if the signature is not this session's."""
    ids, _, signature = signed.partition("~")
    if not ids or not is_signed(keyring, session, ids, signature):
        return []
    matches = [FLASH_PATTERN.fullmatch(each) for each in ids.split(",")]
    flashes = [FlashMessage(each[1], each[2] or "", int(each[3] or 0)) for each in matches if each]
    return [line for flash in flashes if (line := await _flash_line(unit, flash)) is not None]


async def _flash_line(unit: Unit, flash: FlashMessage) -> FlashLine | None:
    if flash.kind not in set(ReceiptKind):
        sentence = texts.NOTES.get(flash.kind)
        return FlashLine(sentence, {"count": flash.id}, is_good=flash.kind not in texts.BAD_NEWS) if sentence else None
    try:
        versions = await history(unit, flash.id)
    except NotFound:  # purged since
        return None
    row = next((each for each in versions if each.version == flash.version), None)
    if row is None:
        return None
    before = next((each for each in versions if each.version == flash.version - 1), None)
    kind = ReceiptKind.KNOWN if flash.kind == ReceiptKind.KNOWN else change_of(before, row)
    can_be_undone = kind != ReceiptKind.KNOWN and await undoable_version(unit, row.id) == row.version
    return FlashLine(
        texts.RECEIPTS[kind],
        {"content": row.words, "before": before.words if before else ""},
        undo=row if can_be_undone else None,
    )
