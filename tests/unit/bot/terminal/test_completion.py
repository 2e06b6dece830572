"""What Tab offers: commands and their words, and nothing where a person writes freely."""

from bot.commands import memory, spaces
from bot.terminal.completion import next_words
from tests.tables import table


@table(
    ("before", "words"),
    [
        ("/mem", ["/memory"]),
        ("/n", ["/new"]),
        ("/memory s", ["search", "share", "show"]),
        ("/memory mode ", ["auto", "confirm", "manual"]),
        ("/memory never pe", ["person", "personality"]),
        ("/space use ", ["personal"]),
        ("/space doc", ["document", "documents"]),
        ("/forget ", ["about", "attribute", "everything", "from", "summary", "topic"]),
        ("/forget attribute lo", ["location"]),
    ],
)
def test_the_words_that_may_follow_are_offered_in_order(before: str, words: list[str]) -> None:
    assert next_words(before) == words


def test_every_command_of_the_tables_is_offered() -> None:
    assert next_words("/memory ") == sorted(memory.COMMANDS)
    assert next_words("/space ") == sorted(spaces.COMMANDS)
    assert {"/help", "/memory", "/space", "/forget", "/new", "/quit"} <= set(next_words("/"))


@table("before", ["", "mem", " /mem", "see /mem", "/memory edit ", "/memory show x ", "/x\n/mem", "/no "])
def test_nothing_is_offered_where_a_person_writes_freely(before: str) -> None:
    assert next_words(before) == []
