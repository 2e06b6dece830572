"""What a person sees of their memory: the list by pages, one fact with its buttons, its history."""

from dataclasses import replace

from bot import formatting
from bot.commands import web
from bot.commands.memory import timezone_of
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer
from bot.language import texts
from bot.telegram.context import HandlerContext
from bot.telegram.sending import keyboards
from bot.telegram.sending.answers import cards_parts, lines_answer
from memory import Channel, FactRow, personal_space
from memory.facts import facts, history, proposals
from memory.people import spaces
from memory.turn.chat import Chat
from memory.unit import Unit


def alone(context: HandlerContext, delivery: Delivery, chat: Chat) -> Chat:
    """The same person by themselves, also when they spoke in a group."""
    if chat.viewer.channel == Channel.PRIVATE:
        return chat
    home = replace(chat.viewer, space=personal_space(chat.viewer.person), channel=Channel.PRIVATE)
    return Chat(context.runtime, home)


async def review_page(delivery: Delivery, unit: Unit) -> OutgoingAnswer:
    """The way to their own page outside, by buttons where Telegram takes its address. Nothing of it can be passed on,
    unless it must be copied."""
    runtime = delivery.runtime
    if not web.is_served(runtime.settings):
        return lines_answer(delivery, texts.WEB_NOT_SERVED)
    link = await web.new_link(unit, runtime)
    told = texts.WEB_LINK.format(url=link, minutes=web.MINUTES)
    if not web.fits_a_button(link):
        return lines_answer(delivery, told)
    app = web.app_address(runtime.settings)
    buttons = [
        *([[Button(label=texts.BUTTON_APP, app=app)]] if app else []),
        [Button(label=texts.BUTTON_BROWSER, url=link)],
    ]
    short = texts.WEB_BUTTONS.format(minutes=web.MINUTES)
    return OutgoingAnswer(parts=[delivery.part(short, buttons=buttons, instead=told, protected=True)])


async def listed(delivery: Delivery, chat: Chat, page: int) -> OutgoingAnswer:
    """One page of what is remembered, then what waits for an answer."""
    rows = await chat.do(facts.all_facts)
    waiting = await chat.do(proposals.waiting)
    owner = delivery.incoming.user
    page = max(0, min(page, (len(rows) - 1) // keyboards.ON_A_PAGE))
    text = page_text(rows, page, chat.viewer.person, await chat.do(spaces.names))
    answer = lines_answer(delivery, text, keyboards.page_buttons(rows, page, owner))
    cards = cards_parts(delivery, waiting, None) if page == 0 else []
    return answer.model_copy(update={"parts": [*answer.parts, *cards]})


def page_text(rows: list[FactRow], page: int, viewer: str, names: formatting.Names) -> str:
    if not rows:
        return texts.NOTHING_REMEMBERED
    shown = rows[page * keyboards.ON_A_PAGE : (page + 1) * keyboards.ON_A_PAGE]
    pages = (len(rows) - 1) // keyboards.ON_A_PAGE + 1
    title = texts.MEMORY_PAGE.format(count=len(rows), page=page + 1, pages=pages)
    return "\n".join([title, *formatting.grouped(shown, viewer, names)])


async def fact(delivery: Delivery, chat: Chat, fact_id: str) -> OutgoingAnswer:
    row = await chat.do(lambda unit: facts.readable_fact(unit, fact_id))
    shown = formatting.fact_shown(row, await timezone_of(chat))
    mine = row.owner == chat.viewer.person
    return lines_answer(delivery, shown, keyboards.fact_buttons(row, delivery.incoming.user, mine=mine))


async def fact_history(delivery: Delivery, chat: Chat, fact_id: str) -> OutgoingAnswer:
    rows = await chat.do(lambda unit: history.history(unit, fact_id))
    shown = formatting.history_shown(rows, await timezone_of(chat))
    mine = rows[-1].owner == chat.viewer.person
    return lines_answer(delivery, shown, keyboards.fact_buttons(rows[-1], delivery.incoming.user, mine=mine))
