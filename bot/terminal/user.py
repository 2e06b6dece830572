"""Who sits at this terminal, and in which time zone."""

import getpass
import os
from zoneinfo import ZoneInfo

from tzlocal import get_localzone_name

from memory.cleaning import clean


def user_name() -> str:
    """In a container the user may have a number and no name."""
    try:
        return clean(getpass.getuser())
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def terminal_user() -> str:
    """The id of whoever sits at this terminal."""
    return f"terminal:{user_name()}"


def timezone_name() -> str:
    """The machine's time zone, where it is one that can be looked up again."""
    try:
        name = get_localzone_name() or "UTC"
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return "UTC"
    return str(name)
