"""What a person sees of their memory: the list by pages, one fact with its buttons, its history."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bot import formatting, keyboards, web
from bot.commands.memory import timezone_of
from bot.errand import Errand
from bot.language import texts
from bot.outgoing import Answer, Button
from bot.sending import cards_parts, lines_answer
from bot.turn import Chat
from db.queries.facts import FactRow
from db.viewer import personal_space
from db.vocabulary import Channel
from memory import facts, history, proposals, spaces
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.desk import Desk


def alone(desk: "Desk", errand: Errand, chat: Chat) -> Chat:
    """The same person by themselves, also when they spoke in a group."""
    if chat.viewer.channel == Channel.PRIVATE:
        return chat
    home = replace(chat.viewer, space=personal_space(chat.viewer.person), channel=Channel.PRIVATE)
    return Chat(desk.house, home)


async def review_page(errand: Errand, unit: Unit) -> Answer:
    """The way to their own page outside, by buttons where Telegram takes its address. Nothing of it can be passed on,
    unless it must be copied."""
    house = errand.house
    if not web.is_served(house.settings):
        return lines_answer(errand, texts.WEB_NOT_SERVED)
    link = await web.new_link(unit, house)
    told = texts.WEB_LINK.format(url=link, minutes=web.MINUTES)
    if not web.fits_a_button(link):
        return lines_answer(errand, told)
    app = web.app_address(house.settings)
    buttons = [
        *([[Button(label=texts.BUTTON_APP, app=app)]] if app else []),
        [Button(label=texts.BUTTON_BROWSER, url=link)],
    ]
    short = texts.WEB_BUTTONS.format(minutes=web.MINUTES)
    return Answer(parts=[errand.part(short, buttons=buttons, instead=told, protected=True)])


async def listed(errand: Errand, chat: Chat, page: int) -> Answer:
    """One page of what is remembered, then what waits for an answer."""
    rows = await chat.do(facts.all_facts)
    waiting = await chat.do(proposals.waiting)
    owner = errand.incoming.user
    page = max(0, min(page, (len(rows) - 1) // keyboards.ON_A_PAGE))
    text = page_text(rows, page, chat.viewer.person, await chat.do(spaces.names))
    answer = lines_answer(errand, text, keyboards.page_buttons(rows, page, owner))
    cards = cards_parts(errand, waiting, None) if page == 0 else []
    return answer.model_copy(update={"parts": [*answer.parts, *cards]})


def page_text(rows: list[FactRow], page: int, viewer: str, names: formatting.Names) -> str:
    if not rows:
        return texts.NOTHING_REMEMBERED
    shown = rows[page * keyboards.ON_A_PAGE : (page + 1) * keyboards.ON_A_PAGE]
    pages = (len(rows) - 1) // keyboards.ON_A_PAGE + 1
    title = texts.MEMORY_PAGE.format(count=len(rows), page=page + 1, pages=pages)
    return "\n".join([title, *formatting.grouped(shown, viewer, names)])


async def fact(errand: Errand, chat: Chat, fact_id: str) -> Answer:
    row = await chat.do(lambda unit: facts.readable_fact(unit, fact_id))
    shown = formatting.fact_shown(row, await timezone_of(chat))
    mine = row.owner == chat.viewer.person
    return lines_answer(errand, shown, keyboards.fact_buttons(row, errand.incoming.user, mine=mine))


async def fact_history(errand: Errand, chat: Chat, fact_id: str) -> Answer:
    rows = await chat.do(lambda unit: history.history(unit, fact_id))
    shown = formatting.history_shown(rows, await timezone_of(chat))
    mine = rows[-1].owner == chat.viewer.person
    return lines_answer(errand, shown, keyboards.fact_buttons(rows[-1], errand.incoming.user, mine=mine))
