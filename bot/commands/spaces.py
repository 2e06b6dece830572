"""/space: remember together with others, by invitation."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bot import formatting
from bot.language import spoken, texts
from memory import Channel, Viewer, ViewName, ViewScope, personal_space
from memory.errors import NotFound, Refused
from memory.ledgers import documents, views
from memory.people import spaces
from memory.turn.chat import Chat

Command = Callable[[Chat, str], Awaitable[str]]


async def space_command(chat: Chat, words: str) -> str:
    name, _, rest = words.strip().partition(" ")
    command = COMMANDS.get(name or "list")
    if command is None:
        return texts.SPACE_HELP
    try:
        return await command(chat, rest.strip())
    except NotFound as missing:
        return spoken(missing) or texts.SPACE_HELP
    except Refused as refusal:
        return spoken(refusal)


def arguments(words: Sequence[str]) -> Iterable[str]:
    """Which words may come next, after these."""
    match words:
        case []:
            return COMMANDS
        case ["use"]:
            return ("personal",)
        case _:
            return ()


async def list_all(chat: Chat, _: str) -> str:
    return formatting.spaces_list(await chat.do(spaces.mine), chat.viewer.place)


async def new(chat: Chat, words: str) -> str:
    space_id = await chat.do(lambda unit: spaces.found(unit, words), safe=False)
    await chat.begin_anew(space=space_id)
    return texts.SPACE_FOUNDED.format(name=words)


async def use(chat: Chat, words: str) -> str:
    """Talk in another of one's spaces; `personal` leads home."""
    if words == "personal":
        await chat.begin_anew(space=personal_space(chat.viewer.person))
        return texts.SPACE_HOME
    space = spaces.named(await chat.do(spaces.mine), words)
    await chat.begin_anew(space=space.id)
    return texts.SPACE_ENTERED.format(name=space.subject)


async def members(chat: Chat, _: str) -> str:
    return formatting.members_list(await chat.do(spaces.members))


async def invite(chat: Chat, _: str) -> str:
    code = await chat.do(spaces.invite)
    return texts.INVITATION.format(code=code, days=f"{chat.runtime.settings.card_days:g}")


async def join(chat: Chat, words: str) -> str:
    space_id = await chat.do(lambda unit: spaces.join(unit, words))
    await chat.begin_anew(space=space_id)
    here = next(space for space in await chat.do(spaces.mine) if space.id == space_id)
    return texts.SPACE_ENTERED.format(name=here.subject)


async def leave(chat: Chat, _: str) -> str:
    if chat.is_at_home:
        raise Refused(texts.SPACE_NOT_HOME)
    await chat.do(spaces.leave)
    await chat.begin_anew(space=personal_space(chat.viewer.person))
    return texts.SPACE_LEFT


async def remove(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: spaces.remove(unit, words))
    return texts.MEMBER_REMOVED.format(member=words)


async def owner(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: spaces.make_owner(unit, words))
    return texts.MEMBER_OWNS.format(member=words)


async def document(chat: Chat, words: str) -> str:
    """A file that was sent, or one of this machine; in a shared space it is given aloud, to all who belong there."""
    if chat.upload is None and not chat.is_local:
        raise Refused(texts.SPACE_SEND_FILE)
    try:
        name, data = chat.upload if chat.upload else await asyncio.to_thread(read_file, words)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else texts.DOCUMENT_NO_HOME
        raise Refused(texts.DOCUMENT_UNREADABLE.format(path=words or texts.DOCUMENT_NO_PATH, why=why)) from error
    prepared = await documents.prepare_document(name, data)
    given = await chat.do(lambda unit: documents.give(unit, prepared), viewer=aloud(chat))
    chat.runtime.vectors.nudge(chat.viewer)
    kept = texts.DOCUMENT_GIVEN if given.pieces else texts.DOCUMENT_SEALED
    return kept.format(name=given.name, id=given.row.id, pieces=given.pieces)


async def list_documents(chat: Chat, _: str) -> str:
    found = await chat.do(documents.here)
    return formatting.documents_list(found) if found else texts.NO_DOCUMENTS


async def drop(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: documents.take_back(unit, words))
    return texts.DOCUMENT_DROPPED.format(id=words)


async def persona(chat: Chat, words: str) -> str:
    return await edit_view(chat, ViewName.IDENTITY, "persona", words)


async def rules(chat: Chat, words: str) -> str:
    return await edit_view(chat, ViewName.RULES, "rules", words)


async def edit_view(chat: Chat, name: ViewName, command: str, words: str) -> str:
    """Shows what is set, or sets it: for the space that we talk in, at home for oneself."""
    scope = ViewScope.USER if chat.is_at_home else ViewScope.SPACE
    if words:
        row = await chat.do(lambda unit: views.put(unit, name, scope, words))
        return texts.VIEW_KEPT.format(version=row.version)
    view = (await chat.do(views.get)).get((name, scope))
    return view.content if view else texts.VIEW_EMPTY.format(name=command)


def read_file(words: str) -> tuple[str, bytes]:
    path = Path(words).expanduser()
    return path.name, path.read_bytes()


def aloud(chat: Chat) -> Viewer:
    return chat.viewer if chat.is_at_home else replace(chat.viewer, channel=Channel.TEAM)


COMMANDS: dict[str, Command] = {
    "list": list_all,
    "new": new,
    "use": use,
    "members": members,
    "invite": invite,
    "join": join,
    "leave": leave,
    "remove": remove,
    "owner": owner,
    "document": document,
    "documents": list_documents,
    "drop": drop,
    "persona": persona,
    "rules": rules,
}
ALONE_ONLY = frozenset({"new", "use", "join", "leave", "invite", "remove", "owner"})
"""Not for a chat that others read: they change where one talks oneself, or whom one talks with."""
