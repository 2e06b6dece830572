"""Logging as the program sets it up, with the real libraries loaded and asked for all that they can say."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import logging, warnings
import anthropic, mcp, telegram.ext, tornado.web  # some set levels or handlers of their own when they are loaded
from bot.logs import configure_logging
configure_logging("{level}", "{form}")
import uvicorn
logging.getLogger("memory.model.claude.brain").debug("ours %d", 1, extra={{"kind": "quiet"}})
logging.getLogger("httpx").info("theirs")
logging.getLogger("httpx").warning("theirs %s", "Kanarek")
for name in ("anthropic", "httpx2", "telegram.Bot", "tornado.access", "mcp", "asyncio", "uvicorn"):
    logging.getLogger(name).setLevel("DEBUG")
    logging.getLogger(name).debug("Kanarek")
warnings.warn("Kanarek")
class Broken:
    def __str__(self):
        raise ValueError("Kanarek")
logging.getLogger("httpx").warning(Broken())
handlers = [each for one in logging.root.manager.loggerDict.values() for each in getattr(one, "handlers", ())]
assert all(isinstance(each, logging.NullHandler) for each in handlers), handlers
"""


def logged(level: str, form: str) -> list[str]:
    """In a process of its own, as pytest has handlers on the root; its environment asks the SDK for all it can say."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(level=level, form=form)],
        env={**os.environ, "ANTHROPIC_LOG": "debug"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    assert "Kanarek" not in ran.stderr
    return ran.stderr.splitlines()


@pytest.mark.slow
def test_text_lines_hold_nobodys_words_and_libraries_stay_at_a_warning() -> None:
    ours, theirs, warned = logged("debug", "text")

    assert ours.endswith(" DEBUG memory.model.claude.brain ours 1")
    assert theirs.endswith(" WARNING httpx theirs ...")
    assert " WARNING bot.logs UserWarning in " in warned


@pytest.mark.slow
def test_json_lines_hold_nobodys_words_and_libraries_stay_at_a_warning() -> None:
    [theirs] = map(json.loads, logged("error", "json"))

    assert (theirs["level"], theirs["message"]) == ("warning", "theirs ...")
