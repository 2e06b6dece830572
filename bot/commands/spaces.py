"""/space: shared memory with other people, joined by invitation."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bot import formatting
from bot.language import format_day, texts, translate_error
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
        return translate_error(missing) or texts.SPACE_HELP
    except Refused as refusal:
        return translate_error(refusal)


def arguments(words: Sequence[str]) -> Iterable[str]:
    """Return the words that can follow these."""
    match words:
        case []:
            return COMMANDS
        case ["use"]:
            return ("personal",)
        case _:
            return ()


async def list_all(chat: Chat, _: str) -> str:
    return formatting.spaces_text(await chat.do(spaces.own_spaces), chat.viewer.place)


async def new(chat: Chat, words: str) -> str:
    space_id = await chat.do(lambda unit: spaces.create_space(unit, words), savepoint=False)
    await chat.new_conversation(space=space_id)
    return texts.SPACE_CREATED.format(name=words)


async def use(chat: Chat, words: str) -> str:
    """Switch to another of the person's spaces; `personal` is their own."""
    if words == "personal":
        await chat.new_conversation(space=personal_space(chat.viewer.person))
        return texts.SPACE_SWITCHED_TO_PERSONAL
    space = spaces.find_space(await chat.do(spaces.own_spaces), words)
    await chat.new_conversation(space=space.id)
    return texts.SPACE_SWITCHED.format(name=space.subject)


async def members(chat: Chat, _: str) -> str:
    return formatting.members_text(await chat.do(spaces.members))


async def invite(chat: Chat, _: str) -> str:
    invitation = await chat.do(spaces.invite)
    return texts.SPACE_INVITATION.format(code=invitation.code, day=format_day(invitation.expires_at))


async def join(chat: Chat, words: str) -> str:
    space_id = await chat.do(lambda unit: spaces.join_space(unit, words))
    await chat.new_conversation(space=space_id)
    here = next(space for space in await chat.do(spaces.own_spaces) if space.id == space_id)
    return texts.SPACE_SWITCHED.format(name=here.subject)


async def leave(chat: Chat, _: str) -> str:
    if chat.is_in_personal_space:
        raise Refused(texts.SPACE_PERSONAL_STAYS)
    await chat.do(spaces.leave_space)
    await chat.new_conversation(space=personal_space(chat.viewer.person))
    return texts.SPACE_LEFT


async def remove(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: spaces.remove_member(unit, words))
    return texts.SPACE_MEMBER_REMOVED.format(member=words)


async def owner(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: spaces.make_owner(unit, words))
    return texts.SPACE_MEMBER_IS_OWNER.format(member=words)


async def document(chat: Chat, words: str) -> str:
    """Add a document: the file that was sent, or a local one. In a shared space all members can read it."""
    if chat.upload is None and not chat.is_local:
        raise Refused(texts.DOCUMENT_SEND_FILE)
    try:
        name, data = chat.upload if chat.upload else await asyncio.to_thread(read_file, words)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else texts.DOCUMENT_NO_HOME
        raise Refused(texts.DOCUMENT_UNREADABLE.format(path=words or texts.DOCUMENT_NO_PATH, why=why)) from error
    prepared = await documents.prepare_document(name, data)
    given = await chat.do(lambda unit: documents.add_document(unit, prepared), viewer=aloud(chat))
    chat.runtime.vectors.nudge(chat.viewer)
    kept = texts.DOCUMENT_ADDED if given.chunks else texts.DOCUMENT_ADDED_ENCRYPTED
    return kept.format(name=given.name, id=given.row.id, pieces=given.chunks)


async def list_documents(chat: Chat, _: str) -> str:
    found = await chat.do(documents.list_documents)
    return formatting.documents_text(found) if found else texts.DOCUMENTS_NONE


async def drop(chat: Chat, words: str) -> str:
    await chat.do(lambda unit: documents.remove_document(unit, words))
    return texts.DOCUMENT_REMOVED.format(id=words)


async def persona(chat: Chat, words: str) -> str:
    return await edit_view(chat, ViewName.IDENTITY, "persona", words)


async def rules(chat: Chat, words: str) -> str:
    return await edit_view(chat, ViewName.RULES, "rules", words)


async def edit_view(chat: Chat, name: ViewName, command: str, words: str) -> str:
    """Show or replace a view of the current space, or of the person in their personal space."""
    scope = ViewScope.USER if chat.is_in_personal_space else ViewScope.SPACE
    if words:
        row = await chat.do(lambda unit: views.put(unit, name, scope, words))
        return texts.VIEW_SAVED.format(version=row.version)
    view = (await chat.do(views.get)).get((name, scope))
    return view.content if view else texts.VIEW_EMPTY.format(name=command)


def read_file(words: str) -> tuple[str, bytes]:
    path = Path(words).expanduser()
    return path.name, path.read_bytes()


def aloud(chat: Chat) -> Viewer:
    return chat.viewer if chat.is_in_personal_space else replace(chat.viewer, channel=Channel.TEAM)


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
PRIVATE_ONLY = frozenset({"new", "use", "join", "leave", "invite", "remove", "owner"})
"""Refused in groups, because they change the person's own space or its members."""
