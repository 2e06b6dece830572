"""The methods by which a bot asks and tells about itself, chats, people and files."""

import json
import re

from tests.telegram.addresses import check_app
from tests.telegram.chats import Json
from tests.telegram.members import change_rank, member
from tests.telegram.request import Params, bad
from tests.telegram.world import INSIDE, World

LARGEST_DOWNLOAD = 20 * 1024 * 1024
MAX_COMMANDS = 100
STALE = "query is too old and response timeout expired or query ID is invalid"


def get_me(world: World, params: Params) -> Json:
    return world.me


def set_my_commands(world: World, params: Params) -> bool:
    commands = params.rows("commands")
    if len(commands) > MAX_COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for one in commands:
        if not re.fullmatch(r"/?[a-z0-9_]{1,32}", one.get("command", "")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(one.get("description", "").strip()) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    world.commands[audience(params)] = commands
    return True


def get_my_commands(world: World, params: Params) -> list[Json]:
    return world.commands.get(audience(params), [])


def delete_my_commands(world: World, params: Params) -> bool:
    world.commands.pop(audience(params), None)
    return True


def audience(params: Params) -> tuple[str, str]:
    scope = params.table("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), params.words("language_code")


def answer_callback_query(world: World, params: Params) -> bool:
    query_id = params.words("callback_query_id")
    if world.callbacks.get(query_id, {}) is not None:
        raise bad(STALE)
    if len(params.words("text")) > 200:
        raise bad("MESSAGE_TOO_LONG")
    world.callbacks[query_id] = {"text": params.words("text"), "show_alert": bool(params.get("show_alert"))}
    return True


def get_file(world: World, params: Params) -> Json:
    file_id = params.words("file_id")
    kept = world.files.get(file_id)
    if kept is None:
        raise bad("invalid file_id")
    if kept.size > LARGEST_DOWNLOAD:
        raise bad("file is too big")
    unique = file_id.replace("file", "unique", 1)
    return {"file_id": file_id, "file_unique_id": unique, "file_size": kept.size, "file_path": kept.path}


def get_chat(world: World, params: Params) -> Json:
    chat = world.chat(params)
    gifts = dict.fromkeys(
        (
            "unlimited_gifts",
            "limited_gifts",
            "unique_gifts",
            "premium_subscription",
            "gifts_from_channels",
        ),
        False,
    )
    return {**chat.shown, "accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}


def get_chat_member(world: World, params: Params) -> Json:
    chat = world.open_chat(params)
    user_id = params.number("user_id")
    if user_id not in world.users:
        raise bad("invalid user_id specified")
    return member(world, chat, user_id)


def get_chat_administrators(world: World, params: Params) -> list[Json]:
    chat = world.open_chat(params)
    if chat.private:
        raise bad("there are no administrators in the private chat")
    ranks = ("creator", "administrator")
    return [member(world, chat, user_id) for user_id, status in chat.members.items() if status in ranks]


def get_chat_member_count(world: World, params: Params) -> int:
    chat = world.open_chat(params)
    return 2 if chat.private else sum(status in INSIDE for status in chat.members.values())


def leave_chat(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    if chat.private:
        raise bad("chat can't be left")
    change_rank(world, chat, world.bot.id, "left", by=world.bot.id)
    return True


def get_my_name(world: World, params: Params) -> Json:
    return {"name": world.bot.name}


def get_my_description(world: World, params: Params) -> Json:
    return {"description": ""}


def get_my_short_description(world: World, params: Params) -> Json:
    return {"short_description": ""}


def get_chat_menu_button(world: World, params: Params) -> Json:
    """Of a chat, or of all that have none of their own; a default is nothing but the next one up."""
    every = world.menu_buttons.get(None, {"type": "commands"})
    return world.menu_buttons.get(menu_of(world, params), every)


def set_chat_menu_button(world: World, params: Params) -> bool:
    where, button = menu_of(world, params), params.table("menu_button") or {"type": "default"}
    match button.get("type"):
        case "default":
            world.menu_buttons.pop(where, None)
        case "commands":
            world.menu_buttons[where] = {"type": "commands"}
        case "web_app":
            if not str(button.get("text") or "").strip():
                raise bad("menu button text is empty")
            check_app(button.get("web_app"), "menu button")
            world.menu_buttons[where] = button
        case _:
            raise bad("can't parse menu button: unsupported type")
    return True


def menu_of(world: World, params: Params) -> int | None:
    if params.get("chat_id") is None:
        return None
    chat = world.chat(params)
    if not chat.private:
        raise bad("chat must be private")
    return chat.id


def just_true(world: World, params: Params) -> bool:
    """For methods whose effect nobody here looks at."""
    return True
