"""/space: remember together with others, by invitation."""

from collections.abc import Awaitable, Callable

from bot import formatting, texts
from bot.turn import Chat
from db.viewer import personal_space
from memory import spaces
from memory.errors import NotFound, Refused

Command = Callable[[Chat, str], Awaitable[str]]


async def space_command(chat: Chat, words: str) -> str:
    name, _, rest = words.strip().partition(" ")
    command = COMMANDS.get(name or "list")
    if command is None:
        return texts.SPACE_HELP
    try:
        return await command(chat, rest.strip())
    except NotFound as missing:
        return str(missing) or texts.SPACE_HELP
    except Refused as refusal:
        return str(refusal)


async def list_all(chat: Chat, _: str) -> str:
    return formatting.spaces_list(await chat.do(spaces.mine), chat.viewer.place)


async def new(chat: Chat, words: str) -> str:
    space_id = await chat.do(lambda unit: spaces.found(unit, words))
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
    return texts.INVITATION.format(code=code, days=f"{chat.house.settings.card_days:g}")


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
}
