"""The user at this terminal, and their time zone."""

import getpass
import os
from zoneinfo import ZoneInfo

from tzlocal import get_localzone_name

from memory.cleaning import clean


def user_name() -> str:
    """Return the login name, or the uid in a container whose user has no name."""
    try:
        return clean(getpass.getuser())
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def terminal_user() -> str:
    return f"terminal:{user_name()}"


def timezone_name() -> str:
    """Return the machine's time zone, or UTC if it is unknown."""
    try:
        name = get_localzone_name() or "UTC"
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return "UTC"
    return str(name)
