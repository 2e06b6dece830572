"""/memory: see, correct, share and delete facts, and answer cards."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot import formatting
from bot.commands.web import MINUTES, new_link
from bot.language import format_list, texts, translate_error
from memory import Approval, Category, Mode
from memory.errors import NotFound, Refused
from memory.facts import facts, history, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt
from memory.facts.search import search as find_facts
from memory.people import spaces
from memory.people.people import choices_of, choose_categories, choose_mode, choose_reminders
from memory.privacy.export import export_as_markdown, export_data
from memory.turn.chat import Chat
from memory.unit import Unit

Command = Callable[[Chat, str], Awaitable[str]]


async def memory_command(chat: Chat, words: str) -> str:
    """Run a subcommand and return its answer. Any wrong argument, even another person's id, gets the usage line."""
    name, _, rest = words.strip().partition(" ")
    command = COMMANDS.get(name or "list")
    if command is None:
        return texts.MEMORY_UNKNOWN.format(name=name[:40])
    try:
        return await command(chat, rest.strip())
    except NotFound:
        return formatting.memory_usage(name)
    except Refused as refusal:
        return translate_error(refusal)


def arguments(words: Sequence[str]) -> Iterable[str]:
    """Return the words that can follow these."""
    match words:
        case []:
            return COMMANDS
        case ["mode"]:
            return Mode
        case ["never" | "allow"]:
            return Category
        case _:
            return ()


async def list_all(chat: Chat, _: str) -> str:
    async def read(unit: Unit) -> str:
        rows, waiting = await facts.all_facts(unit), await proposals.waiting_cards(unit)
        return formatting.memory_text(rows, waiting, unit.viewer.person, await spaces.member_names(unit))

    return await chat.do(read)


async def show(chat: Chat, words: str) -> str:
    row = await chat.do(lambda unit: facts.readable_fact(unit, words))
    return formatting.fact_details(row, await timezone_of(chat))


async def show_history(chat: Chat, words: str) -> str:
    rows = await chat.do(lambda unit: history.history(unit, words))
    return formatting.history_text(rows, await timezone_of(chat))


async def edit(chat: Chat, words: str) -> str:
    fact_id, _, content = words.partition(" ")
    if not content.strip():
        raise NotFound

    async def change(unit: Unit) -> Receipt:
        return await facts.revise(unit, fact_id, FactDraft(content, Category.OTHER), Approval.COMMAND)

    return formatting.receipt_line(await chat.do(change))


async def delete(chat: Chat, words: str) -> str:
    receipt = await chat.do(lambda unit: facts.hide(unit, words, Approval.COMMAND))
    chat.runtime.recent.forget_person(chat.viewer.person)
    return formatting.receipt_line(receipt)


async def search(chat: Chat, words: str) -> str:
    if not words:
        raise NotFound
    rows = await chat.do(lambda unit: find_facts(unit, words, limit=20))
    return formatting.search_results(rows, chat.viewer.person, await chat.do(spaces.member_names))


async def as_of(chat: Chat, words: str) -> str:
    zone = await timezone_of(chat)
    moment = end_of(words, zone)
    rows = await chat.do(lambda unit: history.as_of(unit, moment))
    names = await chat.do(spaces.member_names)
    return formatting.facts_at_text(rows, moment.astimezone(zone), chat.viewer.person, names)


async def undo(chat: Chat, words: str) -> str:
    return formatting.receipt_line(await chat.do(lambda unit: history.undo(unit, words or None)))


async def restore(chat: Chat, words: str) -> str:
    fact_id, _, number = words.partition(" ")
    if number and not number.isdecimal():
        raise NotFound
    version = int(number) if number else None
    return formatting.receipt_line(await chat.do(lambda unit: history.restore(unit, fact_id, version)))


async def mode(chat: Chat, words: str) -> str:
    if words and words not in set(Mode):
        raise NotFound

    async def choose(unit: Unit) -> str:
        if words:
            await choose_mode(unit, Mode(words))
        return formatting.mode_text(await choices_of(unit))

    return await chat.do(choose)


async def remind(chat: Chat, words: str) -> str:
    """Turn reminders of important dates on or off."""
    if words not in {"", "on", "off"}:
        raise NotFound

    async def choose(unit: Unit) -> str:
        if words:
            await choose_reminders(unit, words == "on")
        return texts.REMINDERS_ON if (await choices_of(unit)).reminders else texts.REMINDERS_OFF

    return await chat.do(choose)


async def never(chat: Chat, words: str) -> str:
    return await switch_category(chat, words, off=True)


async def allow(chat: Chat, words: str) -> str:
    return await switch_category(chat, words, off=False)


async def switch_category(chat: Chat, words: str, *, off: bool) -> str:
    if words not in set(Category):
        raise NotFound
    category = frozenset({Category(words)})

    async def choose(unit: Unit) -> str:
        before = (await choices_of(unit)).never_remember
        await choose_categories(unit, before | category if off else before - category)
        return formatting.mode_text(await choices_of(unit))

    return await chat.do(choose)


async def share(chat: Chat, words: str) -> str:
    """Share a fact with the current space, or with the one that is named."""
    fact_id, _, name = words.partition(" ")
    place = chat.viewer
    if name:
        mine = await chat.do(spaces.own_spaces)
        place = chat.in_space(spaces.find_space(mine, name).id)
    return formatting.receipt_line(await chat.do(lambda unit: facts.share(unit, fact_id), viewer=place))


async def unshare(chat: Chat, words: str) -> str:
    return formatting.receipt_line(await chat.do(lambda unit: facts.unshare(unit, words)))


async def accept(chat: Chat, words: str) -> str:
    """Accept a card, with the user's own words if given."""
    card_id, _, own = words.partition(" ")

    async def accept_card(unit: Unit) -> Receipt:
        card = await proposals.waiting_card(unit, card_id)
        return await proposals.accept(unit, card_id, card.content_hash, words=own.strip() or None)

    return formatting.receipt_line(await chat.do(accept_card))


async def reject(chat: Chat, words: str) -> str:
    rejected = await chat.do(lambda unit: proposals.reject(unit, words))
    return texts.CARD_REJECTED[rejected.kind]


async def export_all(chat: Chat, _: str) -> str:
    """Write both export files to the working directory, readable by their owner only."""
    if not chat.is_local:
        raise Refused(texts.EXPORT_ON_PAGE)
    files = await chat.do(export_files)
    write_files(files)
    return texts.EXPORT_DONE.format(files=format_list(list(files)))


async def web(chat: Chat, _: str) -> str:
    """Return a link to the person's review page. This process cannot know whether a daemon serves it."""
    link = await chat.do(lambda unit: new_link(unit, chat.runtime))
    return "\n".join([texts.WEB_LINK.format(url=link, minutes=MINUTES), texts.WEB_LINK_LOCAL])


async def export_files(unit: Unit) -> dict[str, str]:
    """Return all data of the person as JSON and as Markdown, by file name."""
    document = await export_data(unit)
    stem = f"keepsake-export-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    return {
        f"{stem}.json": json.dumps(document, ensure_ascii=False, indent=1),
        f"{stem}.md": export_as_markdown(document),
    }


def write_files(files: dict[str, str]) -> None:
    try:
        for name, text in files.items():
            path = Path(name)
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(texts.EXPORT_FAILED.format(why=error.strerror)) from error


async def timezone_of(chat: Chat) -> ZoneInfo:
    choices = await chat.do(choices_of)
    return ZoneInfo(choices.timezone)


def end_of(words: str, zone: ZoneInfo) -> datetime:
    """Parse a moment, or a day, of which it returns the last moment in the person's time zone."""
    try:
        moment = datetime.fromisoformat(words)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone)
        if len(words) <= len("2026-11-16"):
            moment += timedelta(days=1) - timedelta(microseconds=1)
        moment.astimezone(zone)  # overflows near the years 1 and 9999
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise NotFound from error


COMMANDS: dict[str, Command] = {
    "list": list_all,
    "show": show,
    "history": show_history,
    "edit": edit,
    "delete": delete,
    "restore": restore,
    "undo": undo,
    "search": search,
    "asof": as_of,
    "share": share,
    "unshare": unshare,
    "accept": accept,
    "reject": reject,
    "mode": mode,
    "remind": remind,
    "never": never,
    "allow": allow,
    "export": export_all,
    "web": web,
}
