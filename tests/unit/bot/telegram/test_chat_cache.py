"""The cache of chats for times without the database; in a group each person has their own viewer."""

from typing import cast

from bot.telegram.chat_cache import ChatCache
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.turn.chat import Chat
from memory.wiring import Runtime

GROUP_LENGTH = "telegram:-100500"


def speaks(cache: ChatCache, person: str, conversation: str = "cnv_1", space: str = "spc_1") -> None:
    viewer = Viewer("t", person, space, Channel.PUBLIC)
    cache.add(Chat(cast(Runtime, None), viewer, conversation, place=GROUP_LENGTH))


def test_nobody_speaks_in_the_name_of_whoever_spoke_before() -> None:
    cache = ChatCache(set())
    speaks(cache, "telegram:11")
    assert cache.get(GROUP_LENGTH, "telegram:12") is None
    speaks(cache, "telegram:12", "cnv_2")

    for person in ("telegram:11", "telegram:12"):
        cached = cache.get(GROUP_LENGTH, person)
        assert cached is not None
        assert (cached.viewer.user, cached.conversation_id) == (person, "cnv_2")


def test_who_left_or_speaks_in_another_space_now_is_not_known_there() -> None:
    cache = ChatCache(set())
    speaks(cache, "telegram:11")
    speaks(cache, "telegram:12")
    cache.remove_person(GROUP_LENGTH, "telegram:11")
    assert cache.get(GROUP_LENGTH, "telegram:11") is None
    assert cache.get(GROUP_LENGTH, "telegram:12") is not None
    speaks(cache, "telegram:13", space="spc_2")
    assert cache.get(GROUP_LENGTH, "telegram:12") is None
    cache.remove(GROUP_LENGTH)
    assert cache.get(GROUP_LENGTH, "telegram:13") is None
