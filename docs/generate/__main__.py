"""`python -m docs.generate` writes the generated pages; with `--check` it only lists those that are out of date."""

import re
import sys
from pathlib import Path

from docs.generate import folders, settings, tables

DOCS = Path(__file__).resolve().parent.parent
ARCHITECTURE = DOCS / "architecture.md"


def generated() -> dict[Path, str]:
    """The files as they should be."""
    return {
        DOCS / "settings.md": settings.page(),
        DOCS.parent / ".env.example": settings.example_file(),
        ARCHITECTURE: architecture(),
    }


def architecture() -> str:
    text = with_block(ARCHITECTURE.read_text(), "folders", folders.render())
    return with_block(text, "tables", tables.render())


def with_block(text: str, name: str, content: str) -> str:
    """The text, with `content` between the comments that mark a generated block."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    found = re.fullmatch(f"(.*{re.escape(begin)}).*?({re.escape(end)}.*)", text, re.DOTALL)
    assert found, f"the block {name} is missing"
    return found[1] + content + found[2]


def main(arguments: list[str]) -> int:
    outdated = [path for path, text in generated().items() if not path.exists() or path.read_text() != text]
    for path in outdated:
        if "--check" in arguments:
            print(f"{path.name} is out of date: run `make docs`.")
        else:
            path.write_text(generated()[path])
    return int(bool(outdated) and "--check" in arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
