"""The way from a chat to the review page: a link that works once, and what Telegram can open by a button."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from memory.people.links import LINK_LASTS, make_link
from memory.settings import Settings
from memory.unit import Unit
from memory.wiring import Runtime

PAGE = "/review"
APP = f"{PAGE}/telegram"  # where Telegram tells who it is
MINUTES = int(LINK_LASTS.total_seconds() // 60)


def is_served(settings: Settings) -> bool:
    """Whether somebody said that the page can be reached from outside, or that this process serves it."""
    return settings.serve == "1" or settings.web_url is not None


async def new_link(unit: Unit, runtime: Runtime) -> str:
    """To the viewer's own page; it opens once, soon."""
    return f"{runtime.web_url}{PAGE}/open/{await make_link(unit, runtime.memory.keyring)}"


def app_address(settings: Settings) -> str | None:
    """Where Telegram shows the page inside of itself, which it does for https alone."""
    url = settings.page_url
    return f"{url}{APP}" if urlsplit(url).scheme == "https" and fits_a_button(url) else None


def fits_a_button(url: str) -> bool:
    """Telegram takes names of the internet; what is a machine's own name or number can only be typed or copied."""
    host = urlsplit(url).hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return "." in host.strip(".")
    return False
