"""The cards that wait for their owner: answered one by one, edited, or all at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.problems import Problem
from api.review.display.diff import DiffPart, diff
from api.review.flash_messages import FlashMessage
from api.review.forms import Form, VerifiedForm
from api.review.language import texts
from api.review.list_query import SHORT_ID
from api.review.rendering import page
from api.review.web_session import CurrentSession, ReviewSession
from memory import ProposalKind, ProposalRow
from memory.cleaning import visible
from memory.concurrency.in_thread import in_thread
from memory.errors import DatabaseAway, KeyMissing, NotFound, Refused, WriteRefused, translate_error
from memory.events.sources import MessageSource, source_of
from memory.facts import proposals
from memory.facts.facts import clean_content
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.refusals import Refusal
from memory.unit import Unit

HASH = re.compile(r"[0-9a-f]{64}")
REJECTED = "rejected_"  # followed by the kind of card

router = APIRouter()


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as the page shows it."""

    card: Card
    source: MessageSource | None
    parts: Sequence[DiffPart]
    """The diff of the texts, for a card that updates a fact."""
    wrong: str = ""
    """Why the last answer failed."""
    typed: str = ""
    """What was typed with it."""

    @property
    def row(self) -> ProposalRow:
        return self.card.row


@router.get("")
@router.get("/")
async def waiting(request: Request, session: CurrentSession) -> Response:
    return await show(request, session)


@router.post("/cards/{card_id}")
async def answer_card(request: Request, session: CurrentSession, card_id: str, form: VerifiedForm) -> Response:
    try:
        flash = await answer(session, card_id, form.get("hash"), form)
    except NotFound:
        flash = FlashMessage("card_gone")
    except (Refused, KeyMissing) as refusal:
        wrong = {card_id: (translate_error(refusal), form.get("words"))}
        return await show(request, session, wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return session.redirect("", flash)


@router.post("/cards")
async def answer_all(session: CurrentSession, form: VerifiedForm) -> Response:
    """Answer every card that the page showed, each in its own transaction: one failure does not stop the rest."""
    if form.get("do") == "edit":
        raise _unclear()
    done, gone, failed = [], 0, 0
    for index, card in enumerate(cards := form.every("card")):
        card_id, _, hash = card.partition(".")
        try:
            done.append(await answer(session, card_id, hash, form))
        except NotFound:
            gone += 1
        except (Refused, KeyMissing, WriteRefused):
            failed += 1
        except DatabaseAway:
            failed += len(cards) - index
            break
    rejected = sum(flash.kind.startswith(REJECTED) for flash in done)
    counted = (("cards_rejected", rejected), ("cards_gone", gone), ("cards_left", failed))
    accepted = [flash for flash in done if not flash.kind.startswith(REJECTED)]
    return session.redirect("", *accepted, *(FlashMessage(kind, str(count)) for kind, count in counted if count))


async def answer(session: ReviewSession, card_id: str, hash: str, form: Form) -> FlashMessage:
    """Answer one card in its own transaction. The hash ensures that only the text that was shown is approved."""
    if not SHORT_ID.fullmatch(card_id) or not HASH.fullmatch(hash):
        raise NotFound(Refusal.CARD_NOT_FOUND)

    async def decide(unit: Unit) -> Receipt | ProposalRow:
        match form.get("do"):
            case "accept":
                await _ensure_nothing_typed(unit, card_id, form.get("words"))
                return await proposals.accept(unit, card_id, hash)
            case "edit":
                return await proposals.accept(unit, card_id, hash, words=clean_content(form.get("words")))
            case "reject":
                return await proposals.reject(unit, card_id)
            case _:
                raise _unclear()

    receipt = await session.write(decide)
    if not isinstance(receipt, Receipt):
        return FlashMessage(REJECTED + receipt.kind)
    if receipt.row.forgotten:
        session.runtime.recent.forget_person(session.person)
    return FlashMessage.of(receipt)


async def _ensure_nothing_typed(unit: Unit, card_id: str, typed: str) -> None:
    """Refuse to accept a card while its text box holds an edit: the person may have meant the other button."""
    if visible(typed) not in {"", visible((await proposals.waiting_card(unit, card_id)).content or "")}:
        raise Refused(texts.CARD_WORDS_TYPED)


async def show(
    request: Request,
    session: ReviewSession,
    wrong: Mapping[str, tuple[str, str]] | None = None,
    *,
    status: int = HTTPStatus.OK,
) -> Response:
    """Render the page. `wrong` maps a card to why its answer failed and what was typed."""
    async with session.unit(read_only=True) as unit:
        cards = await proposals.waiting_cards(unit)
        sources = [await source_of(unit, card.row.source_event_id, card.row.span) for card in cards]
    shown = [
        CardView(card, source, await _parts(card), *(wrong or {}).get(card.row.id, ("", "")))
        for card, source in zip(cards, sources, strict=True)
    ]
    return page(request, session, "cards.html", section="waiting", status=status, cards=shown)


async def _parts(card: Card) -> list[DiffPart]:
    if card.row.kind != ProposalKind.UPDATE or card.about is None or card.row.content is None:
        return []
    return await in_thread(len(card.row.content) * 2, diff, card.about.words, card.row.content)


def _unclear() -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, "The field `do` must be accept, edit or reject.")
