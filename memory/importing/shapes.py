"""Tells by its shape whose export a document is; its name says nothing."""

from memory.importing.heard import Kind
from memory.importing.pull import Pull
from memory.privacy.export import FORMAT

MOST_LOOKED_AT = 20  # conversations; of a list of something else nobody reads more
IN_A_LIST = {"mapping": Kind.CHATGPT, "chat_messages": Kind.CLAUDE}


def kind_of(pull: Pull) -> Kind | None:
    """Reads no further than it takes; none, where it is no export that we know."""
    return _of_list(pull) if pull.is_list() else _of_map(pull)


def _of_list(pull: Pull) -> Kind | None:
    for number, _ in enumerate(pull.each_item()):
        if number == MOST_LOOKED_AT:
            break
        for key in pull.each_key():
            if key in IN_A_LIST:
                return IN_A_LIST[key]
    return None


def _of_map(pull: Pull) -> Kind | None:
    for key in pull.each_key():
        match key:
            case "format" if pull.value() == FORMAT:
                return Kind.KEEPSAKE
            case "tables" if pull.is_map():
                return Kind.KEEPSAKE
            case "chats" | "left_chats" if _lists_chats(pull):
                return Kind.TELEGRAM
            case "messages" if _is_of_telegram(pull):
                return Kind.TELEGRAM
    return None


def _lists_chats(pull: Pull) -> bool:
    return any(key == "list" and pull.is_list() for key in pull.each_key())


def _is_of_telegram(pull: Pull) -> bool:
    """By its first messages; an empty chat has none, and nothing to bring."""
    for number, _ in enumerate(pull.each_item()):
        if {"id", "type", "date"} <= set(pull.each_key()):
            return True
        if number == MOST_LOOKED_AT:
            break
    return False
