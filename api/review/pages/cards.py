"""What waits for its owner's word: answered one by one, in one's own words, or all at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.problems import Problem
from api.review.display.diff import DiffPart, diff
from api.review.flash_messages import News
from api.review.forms import Form, Sent
from api.review.language import texts
from api.review.list_query import SHORT_ID
from api.review.rendering import page
from api.review.web_session import Visit, Visiting
from memory import ProposalKind, ProposalRow
from memory.cleaning import visible
from memory.concurrency.in_thread import in_thread
from memory.errors import DatabaseAway, KeyMissing, NotFound, Refused, WriteRefused
from memory.events.sources import MessageSource, source_of
from memory.facts import proposals
from memory.facts.facts import fit_to_keep
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.translation import spoken
from memory.unit import Unit

HASH = re.compile(r"[0-9a-f]{64}")

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Shown:
    """A card as its owner sees it."""

    card: Card
    source: MessageSource | None
    parts: Sequence[DiffPart]
    """What would change, where something would."""
    wrong: str = ""
    """Why it could not be done just now."""
    typed: str = ""

    @property
    def row(self) -> ProposalRow:
        return self.card.row


@router.get("")
@router.get("/")
async def waiting(request: Request, visit: Visiting) -> Response:
    return await show(request, visit)


@router.post("/cards/{card_id}")
async def answer_card(request: Request, visit: Visiting, card_id: str, form: Sent) -> Response:
    try:
        news = await answer(visit, card_id, form.get("hash"), form)
    except NotFound:
        news = News("card_gone")
    except (Refused, KeyMissing) as refusal:
        wrong = {card_id: (spoken(refusal), form.get("words"))}
        return await show(request, visit, wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.lead("", news)


@router.post("/cards")
async def answer_all(visit: Visiting, form: Sent) -> Response:
    """Those that the page showed, each for itself: what one of them meets does not touch the others."""
    if form.get("do") == "edit":
        raise _unclear()
    done, gone, left = [], 0, 0
    for at, shown in enumerate(cards := form.every("card")):
        card_id, _, hash = shown.partition(".")
        try:
            done.append(await answer(visit, card_id, hash, form))
        except NotFound:
            gone += 1
        except (Refused, KeyMissing, WriteRefused):
            left += 1
        except DatabaseAway:
            left += len(cards) - at
            break
    rejected = sum(news.kind == "card_rejected" for news in done)
    counted = (("cards_rejected", rejected), ("cards_gone", gone), ("cards_left", left))
    told = [news for news in done if news.kind != "card_rejected"]
    return visit.lead("", *told, *(News(kind, str(count)) for kind, count in counted if count))


async def answer(visit: Visit, card_id: str, hash: str, form: Form) -> News:
    """One card, in a transaction of its own; only the words that were shown are approved."""
    if not SHORT_ID.fullmatch(card_id) or not HASH.fullmatch(hash):
        raise NotFound(proposals.GONE)

    async def decide(unit: Unit) -> Receipt | None:
        match form.get("do"):
            case "accept":
                await _ensure_nothing_typed(unit, card_id, form.get("words"))
                return await proposals.accept(unit, card_id, hash)
            case "edit":
                return await proposals.accept(unit, card_id, hash, words=fit_to_keep(form.get("words")))
            case "reject":
                await proposals.reject(unit, card_id)
                return None
            case _:
                raise _unclear()

    receipt = await visit.write(decide)
    if receipt is None:
        return News("card_rejected")
    if receipt.row.forgotten:
        visit.runtime.recent.forget_person(visit.person)
    return News.of(receipt)


async def _ensure_nothing_typed(unit: Unit, card_id: str, typed: str) -> None:
    """A box with other words in it is not overlooked: its button may be another one than was pressed."""
    if visible(typed) not in {"", visible((await proposals.find(unit, card_id)).content or "")}:
        raise Refused(texts.WORDS_TYPED)


async def show(
    request: Request, visit: Visit, wrong: Mapping[str, tuple[str, str]] | None = None, *, status: int = HTTPStatus.OK
) -> Response:
    """The page; `wrong` tells of a card why it could not be done, and what was typed."""
    async with visit.unit(read_only=True) as unit:
        cards = await proposals.waiting(unit)
        sources = [await source_of(unit, card.row.source_event_id, card.row.span) for card in cards]
    shown = [
        Shown(card, source, await _parts(card), *(wrong or {}).get(card.row.id, ("", "")))
        for card, source in zip(cards, sources, strict=True)
    ]
    return page(request, visit, "cards.html", section="waiting", status=status, cards=shown)


async def _parts(card: Card) -> list[DiffPart]:
    if card.row.kind != ProposalKind.UPDATE or card.about is None or card.row.content is None:
        return []
    return await in_thread(len(card.row.content) * 2, diff, card.about.words, card.row.content)


def _unclear() -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, "A card is accepted, edited or rejected.")
