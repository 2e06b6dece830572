"""Who is expected, by number or by name."""

from memory.people.allowlist import is_allowed
from tests.tables import table


@table(
    ("listed", "name", "expected"),
    [
        ("", None, True),
        ("7", None, True),
        ("8,@ada_l", "Ada_L", True),
        ("8,@ADA_L", "ada_l", True),
        ("8,@ada_l", None, False),
        ("8", "ada_l", False),
        ("@adal", "", False),
        ("77", "7", False),
        ("@", "", False),
    ],
)
def test_a_list_lets_in_whom_it_names_and_an_empty_one_everybody(listed: str, name: str | None, expected: bool) -> None:
    assert is_allowed(listed, 7, name) is expected
