"""What was forgotten is known again by its hash alone, in a text that says it once more."""

from db.queries.privacy.erasure import TombstoneRow
from memory.privacy.forgetting.tombstones import hash_words, without_forgotten
from tests.tables import table

STONES = [
    TombstoneRow(None, None, bytes([number]) * 16, hash_words(bytes([number]) * 16, words))
    for number, words in enumerate(("My boss is called Alec", "I have been vegan since 2019", "我住在北京"), 1)
]
BOSS = "█" * len("My boss is called Alec")


@table(
    ("said", "left"),
    [
        ("My boss is called Alec", BOSS),
        ("Hello! my BOSS is called Alec. Bye.", f"Hello! {BOSS}█ Bye."),
        ("By the way, my boss is called Alec, and it rains", f"By the way, {BOSS}, and it rains"),
        ("One\nMy boss is called Alec\nTwo", f"One\n{BOSS}\nTwo"),
        ("The boss (my boss is called Alec) is late", f"The boss ({BOSS}) is late"),
        ("Since 2019 I have been vegan.", "█" * 29),
        ("你好。我住在北京。再见", "你好。██████再见"),
        ("Alec is late", "Alec is late"),
        ("My boss is called Ben", "My boss is called Ben"),
        ("", ""),
    ],
)
def test_sentences_that_were_forgotten_are_blanked(said: str, left: str) -> None:
    assert without_forgotten(said, STONES) == left


def test_where_nothing_was_forgotten_nothing_is_looked_at() -> None:
    assert without_forgotten("My boss is called Alec", []) == "My boss is called Alec"
