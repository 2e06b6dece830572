"""Builds the pages of /memory: the list, one fact with its buttons, and a fact's history."""

from dataclasses import replace

from bot import formatting
from bot.commands import web
from bot.commands.memory import timezone_of
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer
from bot.language import texts
from bot.telegram.sending import keyboards
from bot.telegram.sending.answers import card_messages, text_answer
from memory import Channel, FactRow, personal_space
from memory.facts import facts, history, proposals
from memory.people import spaces
from memory.turn.chat import Chat
from memory.unit import Unit


def private_chat(chat: Chat) -> Chat:
    """Return the person's private chat, for a command given in a group too."""
    if chat.viewer.channel == Channel.PRIVATE:
        return chat
    home = replace(chat.viewer, space=personal_space(chat.viewer.person), channel=Channel.PRIVATE)
    return Chat(chat.runtime, home)


async def review_link(delivery: Delivery, unit: Unit) -> OutgoingAnswer:
    """Return a login link to the review page, as buttons if Telegram accepts its address.

    A message with buttons cannot be forwarded; a bare link has to be copied, so its message can.
    """
    runtime = delivery.runtime
    if not web.is_served(runtime.settings):
        return text_answer(delivery, texts.WEB_NOT_SERVED)
    link = await web.new_link(unit, runtime)
    text = texts.WEB_LINK.format(url=link, minutes=web.MINUTES)
    if not web.fits_a_button(link):
        return text_answer(delivery, text)
    app = web.app_address(runtime.settings)
    buttons = [
        *([[Button(label=texts.BUTTON_APP, app=app)]] if app else []),
        [Button(label=texts.BUTTON_BROWSER, url=link)],
    ]
    short = texts.WEB_BUTTONS.format(minutes=web.MINUTES)
    return OutgoingAnswer(parts=[delivery.part(short, buttons=buttons, text_without_buttons=text, protected=True)])


async def fact_list(delivery: Delivery, chat: Chat, page: int) -> OutgoingAnswer:
    """Return one page of the facts; the first page is followed by the waiting cards."""
    rows = await chat.do(facts.all_facts)
    waiting = await chat.do(proposals.waiting_cards)
    owner = delivery.incoming.user
    page = max(0, min(page, (len(rows) - 1) // keyboards.PAGE_SIZE))
    text = page_text(rows, page, chat.viewer.person, await chat.do(spaces.member_names))
    answer = text_answer(delivery, text, keyboards.page_buttons(rows, page, owner))
    cards = card_messages(delivery, waiting, None) if page == 0 else []
    return answer.model_copy(update={"parts": [*answer.parts, *cards]})


def page_text(rows: list[FactRow], page: int, viewer: str, names: formatting.Names) -> str:
    if not rows:
        return texts.MEMORY_LIST_EMPTY
    shown = rows[page * keyboards.PAGE_SIZE : (page + 1) * keyboards.PAGE_SIZE]
    pages = (len(rows) - 1) // keyboards.PAGE_SIZE + 1
    title = texts.MEMORY_PAGE_TITLE.format(count=len(rows), page=page + 1, pages=pages)
    return "\n".join([title, *formatting.facts_by_category(shown, viewer, names)])


async def fact_page(delivery: Delivery, chat: Chat, fact_id: str) -> OutgoingAnswer:
    row = await chat.do(lambda unit: facts.readable_fact(unit, fact_id))
    text = formatting.fact_details(row, await timezone_of(chat))
    mine = row.owner == chat.viewer.person
    return text_answer(delivery, text, keyboards.fact_buttons(row, delivery.incoming.user, mine=mine))


async def history_page(delivery: Delivery, chat: Chat, fact_id: str) -> OutgoingAnswer:
    rows = await chat.do(lambda unit: history.history(unit, fact_id))
    text = formatting.history_text(rows, await timezone_of(chat))
    mine = rows[-1].owner == chat.viewer.person
    return text_answer(delivery, text, keyboards.fact_buttons(rows[-1], delivery.incoming.user, mine=mine))
