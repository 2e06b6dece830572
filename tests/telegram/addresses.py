"""What Telegram thinks of an address on a button."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from tests.telegram.request import bad


def check_url(url: str, where: str) -> None:
    """For the browser: the web alone, at a name of the internet."""
    parts = urlsplit(url)
    if parts.scheme.lower() not in {"http", "https", "tg"}:
        raise bad(f"{where} URL '{url}' is invalid: Unsupported URL protocol")
    if parts.scheme == "tg":
        return
    host = parts.hostname or ""
    if not host:
        raise bad(f"{where} URL '{url}' is invalid: URL host is empty")
    if "." not in host and ":" not in host:
        raise bad(f"{where} URL '{url}' is invalid: Wrong HTTP URL")
    if parts.scheme == "http" and is_number(host):
        raise bad("BUTTON_URL_INVALID")


def check_app(web_app: object, where: str) -> None:
    """For a Mini App: https alone."""
    url = web_app.get("url") if isinstance(web_app, dict) else None
    if not isinstance(url, str) or not url:
        raise bad(f"{where} Web App URL '' is invalid: URL host is empty")
    if urlsplit(url).scheme != "https":
        raise bad(f"{where} Web App URL '{url}' is invalid: Only HTTPS links are allowed")
    check_url(url, f"{where} Web App")


def is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
