"""Links from a chat to the review page: a one-time login link, and the address of the Telegram mini app."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from memory.people.links import LINK_LASTS, make_link
from memory.settings import Settings
from memory.unit import Unit
from memory.wiring import Runtime

PAGE = "/review"
APP = f"{PAGE}/telegram"  # the mini app, where Telegram identifies the user
MINUTES = int(LINK_LASTS.total_seconds() // 60)


def is_served(settings: Settings) -> bool:
    """Whether the settings say that the page is served, by this process or at a public address."""
    return settings.serve == "1" or settings.web_url is not None


async def new_link(unit: Unit, runtime: Runtime) -> str:
    """Return a one-time link to the viewer's own page, valid for `MINUTES`."""
    return f"{runtime.web_url}{PAGE}/open/{await make_link(unit, runtime.memory.keyring)}"


def app_address(settings: Settings) -> str | None:
    """Return the address of the mini app, or None if the page has no public https address."""
    url = settings.page_url
    return f"{url}{APP}" if urlsplit(url).scheme == "https" and fits_a_button(url) else None


def fits_a_button(url: str) -> bool:
    """Whether Telegram accepts the address in a button: a public host name, no IP address or local name."""
    host = urlsplit(url).hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return "." in host.strip(".")
    return False
