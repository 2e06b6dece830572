"""What is known of a chat in RAM when the database is away: in a group each speaks for themselves."""

from typing import cast

from bot.telegram.identity import KnownChats
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.turn.chat import Chat
from memory.wiring import Runtime

GROUP = "telegram:-100500"


def speaks(places: KnownChats, person: str, conversation: str = "cnv_1", space: str = "spc_1") -> None:
    viewer = Viewer("t", person, space, Channel.PUBLIC)
    places.note(Chat(cast(Runtime, None), viewer, conversation, place=GROUP))


def test_nobody_speaks_in_the_name_of_whoever_spoke_before() -> None:
    places = KnownChats(set())
    speaks(places, "telegram:11")
    assert places.of(GROUP, "telegram:12") is None
    speaks(places, "telegram:12", "cnv_2")

    for person in ("telegram:11", "telegram:12"):
        known = places.of(GROUP, person)
        assert known is not None
        assert (known.viewer.user, known.conversation_id) == (person, "cnv_2")


def test_who_left_or_speaks_in_another_space_now_is_not_known_there() -> None:
    places = KnownChats(set())
    speaks(places, "telegram:11")
    speaks(places, "telegram:12")
    places.leave(GROUP, "telegram:11")
    assert places.of(GROUP, "telegram:11") is None
    assert places.of(GROUP, "telegram:12") is not None
    speaks(places, "telegram:13", space="spc_2")
    assert places.of(GROUP, "telegram:12") is None
    places.forget(GROUP)
    assert places.of(GROUP, "telegram:13") is None
