"""Flash messages: what a form has done, told on the page that it leads to. The address names it by ids, signed.

Nothing that anybody wrote stands in the address, and nobody else can make an address that tells something.
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
from memory.people.links import WebVisit, is_signed, signature_of
from memory.privacy.encryption import Keyring
from memory.unit import Unit

FIELD = "told"
MOST = 60
NEWS = re.compile(r"([a-z_]{1,30})(?:\.([A-Za-z0-9_@:-]{1,80}))?(?:\.(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class News:
    """One thing that was done: a receipt's kind with the fact and its version, or a name in `texts.NOTES`."""

    kind: str
    id: str = ""
    version: int = 0

    @classmethod
    def of(cls, receipt: Receipt) -> "News":
        return cls(receipt.kind, receipt.row.id, receipt.row.version)

    def __str__(self) -> str:
        return ".".join([self.kind, *([self.id] if self.id else []), *([str(self.version)] if self.version else [])])


@dataclass(frozen=True, slots=True)
class FlashLine:
    """A sentence to show, with what fills it. `undo` is the fact whose change can be taken back."""

    sentence: str
    gaps: dict[str, str]
    is_good: bool = True
    undo: FactRow | None = None


def redirect(where: str, keyring: Keyring, visit: WebVisit, *news: News) -> RedirectResponse:
    """To another page, which tells this."""
    if news:
        told = ",".join(map(str, news[:MOST]))
        told = f"{told}~{signature_of(keyring, visit, told)}"
        where = f"{where}{'&' if '?' in where else '?'}{FIELD}={quote(told)}"
    return RedirectResponse(where, HTTPStatus.SEE_OTHER)


async def lines(unit: Unit, keyring: Keyring, visit: WebVisit, told: str) -> list[FlashLine]:
    """What an address tells, as its rows stand; nothing where it was not made here for this visit."""
    news, _, signature = told.partition("~")
    if not news or not is_signed(keyring, visit, news, signature):
        return []
    found = [NEWS.fullmatch(each) for each in news.split(",")]
    read = [News(each[1], each[2] or "", int(each[3] or 0)) for each in found if each]
    return [line for each in read if (line := await _line(unit, each)) is not None]


async def _line(unit: Unit, news: News) -> FlashLine | None:
    if news.kind not in set(ReceiptKind):
        sentence = texts.NOTES.get(news.kind)
        return FlashLine(sentence, {"id": news.id}, is_good=news.kind not in texts.BAD_NEWS) if sentence else None
    try:
        versions = await history(unit, news.id)
    except NotFound:  # gone for good since
        return None
    row = next((each for each in versions if each.version == news.version), None)
    if row is None:
        return None
    before = next((each for each in versions if each.version == news.version - 1), None)
    kind = ReceiptKind.KNOWN if news.kind == ReceiptKind.KNOWN else change_of(before, row)
    can_be_undone = kind != ReceiptKind.KNOWN and await undoable_version(unit, row.id) == row.version
    return FlashLine(
        texts.RECEIPTS[kind],
        {"content": row.words, "before": before.words if before else ""},
        undo=row if can_be_undone else None,
    )
