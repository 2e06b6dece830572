"""Where the review page is, and which of its addresses Telegram opens by a button."""

from bot.commands.web import app_address, fits_a_button, is_served
from memory.settings import Settings
from tests.tables import table


def settings(**given: str) -> Settings:
    return Settings.model_validate(given)


@table(
    ("url", "fits"),
    [
        ("https://keepsake.example.org", True),
        ("http://keepsake.example.org:8080/under/here", True),
        ("http://localhost:8080", False),
        ("http://localhost.:8080", False),
        ("http://nas:8080", False),
        ("http://127.0.0.1:8080", False),
        ("https://192.168.1.10", False),
        ("http://[::1]:8080", False),
        ("http://[fe80::1%25eth0]:8080", False),
        ("", False),
    ],
)
def test_a_button_takes_names_of_the_internet(url: str, fits: bool) -> None:
    assert fits_a_button(url) is fits


@table(
    ("url", "app"),
    [
        ("https://keepsake.example.org", "https://keepsake.example.org/review/telegram"),
        ("https://example.org/keepsake/", "https://example.org/keepsake/review/telegram"),
        ("HTTPS://keepsake.example.org", "HTTPS://keepsake.example.org/review/telegram"),
        ("http://keepsake.example.org", None),
        ("https://localhost", None),
        ("https://10.0.0.1", None),
    ],
)
def test_a_mini_app_needs_https(url: str, app: str | None) -> None:
    assert app_address(settings(KEEPSAKE_WEB_URL=url)) == app


@table(
    ("given", "url", "served"),
    [
        ({}, "http://127.0.0.1:8080", False),
        ({"KEEPSAKE_SERVE": "1", "KEEPSAKE_PORT": "80"}, "http://127.0.0.1:80", True),
        ({"KEEPSAKE_HOST": "0.0.0.0"}, "http://127.0.0.1:8080", False),
        ({"KEEPSAKE_HOST": "::"}, "http://[::1]:8080", False),
        ({"KEEPSAKE_HOST": "fe80::1"}, "http://[fe80::1]:8080", False),
        ({"KEEPSAKE_HOST": "nas.local"}, "http://nas.local:8080", False),
        ({"KEEPSAKE_WEB_URL": "https://example.org/k/"}, "https://example.org/k", True),
    ],
)
def test_the_page_is_where_somebody_says_or_on_this_machine(given: dict[str, str], url: str, served: bool) -> None:
    assert (settings(**given).page_url, is_served(settings(**given))) == (url, served)
