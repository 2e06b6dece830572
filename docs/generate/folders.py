"""Renders the folders of the program with the first sentence of each package's docstring."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ("bot", "api", "memory", "db")


def render() -> str:
    rows = [f"| `{name}/` | {_sentence(name)} |\n" for top in PROGRAM for name in _packages(top)]
    return "| folder | what it holds |\n|---|---|\n" + "".join(rows)


def _packages(top: str) -> list[str]:
    """The package and its folders, two levels deep."""
    found = [path.parent for path in (ROOT / top).rglob("__init__.py")]
    return sorted(name for path in found if (name := path.relative_to(ROOT).as_posix()).count("/") <= 1)


def _sentence(name: str) -> str:
    docstring = ast.get_docstring(ast.parse((ROOT / name / "__init__.py").read_text()))
    assert docstring, f"{name}/__init__.py has no docstring"
    return docstring.split("\n\n")[0].replace("\n", " ")
