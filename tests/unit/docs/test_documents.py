"""The documents against the program: links, paths, commands, settings and generated pages."""

import re
from collections.abc import Iterator
from pathlib import Path

from fastapi.routing import APIRoute

from api.app import ROUTES
from api.routes import health
from bot.cli.registry import SUBCOMMANDS
from bot.commands.registry import COMMANDS
from docs.generate.__main__ import generated
from memory.settings import variables
from memory.settings.environment import load_settings

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODE_BLOCK = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
MODULE = re.compile(r"python -m ([\w.]+)")
TARGET = re.compile(r"(?<![\w-])make (?:-s )?([a-z][\w-]+)")
SUBCOMMAND = re.compile(r"(?<!\w)keepsake ([a-z]+)(?= |`|$|\))")
SOURCE = re.compile(r"(?:alembic|api|bench|bot|db|deploy|docs|memory|tests)/[\w./*-]+")
VARIABLE = re.compile(r"\b(?:KEEPSAKE|TELEGRAM|ANTHROPIC)_[A-Z_]+\b|\bDATABASE_URL\b")
README_BYTES = 9_000


def prose(page: Path) -> str:
    return CODE_BLOCK.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> Iterator[str]:
    for link in LINK.findall(prose(page)):
        path, _, anchor = link.partition("#")
        if re.match(r"https?:", link):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def test_every_link_leads_somewhere() -> None:
    assert {page.name: links for page in PAGES if (links := list(broken_links(page)))} == {}


def test_every_source_file_that_a_document_names_exists() -> None:
    missing = {
        (page.name, name)
        for page in PAGES
        if page.name != "CHANGELOG.md"
        for code in CODE.findall(prose(page))
        if SOURCE.fullmatch(code)
        for name in [code.rstrip("/.")]
        if "NAME" not in name and not list(ROOT.glob(name)) and not list(ROOT.glob(f"{name}.py"))
    }

    assert missing == set()


def test_every_command_that_a_document_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    subcommands = {each.name for each in SUBCOMMANDS}
    wrong = set()
    for page in PAGES:
        text = page.read_text()
        code = "\n".join([*CODE.findall(prose(page)), *(block[0] for block in CODE_BLOCK.finditer(text))])
        wrong |= {(page.name, f"make {name}") for name in TARGET.findall(code) if name not in targets}
        wrong |= {
            (page.name, f"python -m {name}")
            for name in MODULE.findall(text)
            if not list(ROOT.glob(name.replace(".", "/") + ".py")) and not (ROOT / name.replace(".", "/")).is_dir()
        }
        wrong |= {
            (page.name, f"keepsake {name}")
            for code in CODE.findall(prose(page))
            for name in SUBCOMMAND.findall(code)
            if name not in subcommands and not code.startswith("make")
        }

    assert wrong == set()


def test_every_setting_that_a_document_names_exists() -> None:
    unknown = {
        (page.name, name)
        for page in PAGES
        if page.name != "CHANGELOG.md"
        for name in VARIABLE.findall(page.read_text())
        if name not in variables() and not name.endswith("_")
    }

    assert unknown == set()


def test_telegrams_page_lists_every_slash_command() -> None:
    listed = set(re.findall(r"`/(\w+)`", (ROOT / "docs" / "telegram.md").read_text()))

    assert {each.name for each in COMMANDS if each.telegram_handler or each.answer} <= listed | {"quit"}


def test_the_page_on_the_api_lists_every_path() -> None:
    rows = re.findall(r"`[A-Z, ]+ ([^`]+)`", (ROOT / "docs" / "api.md").read_text())
    routers = (*ROUTES, health.router)
    paths = {route.path for router in routers for route in router.routes if isinstance(route, APIRoute)}

    assert {without_names(path) for path in paths} <= {without_names(path) for path in rows}


def without_names(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path.strip("/"))


def test_generated_pages_are_up_to_date() -> None:
    outdated = [path.name for path, text in generated().items() if not path.exists() or path.read_text() != text]

    assert outdated == [], "run `make docs`"


def test_the_example_file_changes_nothing(tmp_path: Path) -> None:
    assert load_settings({}, ROOT / ".env.example") == load_settings({}, tmp_path / "none")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= README_BYTES
