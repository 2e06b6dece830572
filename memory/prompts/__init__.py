"""All prompt text, as Markdown files beside this one."""

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
