"""The query of the list of facts: what an address asks to see of it, and what leads back to the same place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from memory import Category
from memory.cleaning import visible

LONGEST = 200
SHORT_ID = re.compile(r"[A-Za-z0-9]{8}")
SPACE_ID = re.compile(r"[A-Za-z0-9._@:-]{1,200}")


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which facts to list. Whatever an address says, this is something that can be shown."""

    space: str = ""
    """A shared space; without it, what is one's own."""
    category: Category | None = None
    about: str = ""
    words: str = ""
    page: int = 1
    deleted: bool = False

    @classmethod
    def of(cls, told: Mapping[str, str]) -> "ListQuery":
        category, page = told.get("category", ""), told.get("page", "")
        return cls(
            space=space_of(told),
            category=Category(category) if category in set(Category) else None,
            about=visible(told.get("about", ""))[:LONGEST],
            words=visible(told.get("q", ""))[:LONGEST],
            page=max(int(page), 1) if page.isascii() and page.isdigit() and len(page) < 6 else 1,
            deleted=told.get("deleted") == "1",
        )

    @classmethod
    def named(cls, query: str) -> "ListQuery":
        """From what `query` gives."""
        try:
            return cls.of(dict(parse_qsl(query[: 10 * LONGEST])))
        except ValueError:
            return cls()

    @property
    def query(self) -> str:
        told = {
            "space": self.space,
            "category": self.category or "",
            "about": self.about,
            "q": self.words,
            "page": str(self.page) if self.page > 1 else "",
            "deleted": "1" if self.deleted else "",
        }
        return urlencode({name: value for name, value in told.items() if value})

    @property
    def path(self) -> str:
        """What follows `/review`."""
        return f"/memory?{self.query}" if self.query else "/memory"

    def at(self, page: int) -> "ListQuery":
        return replace(self, page=page)

    def only(self, category: Category | None) -> "ListQuery":
        return replace(self, category=category, page=1)

    def about_one(self, subject: str) -> "ListQuery":
        return replace(self, about=subject, words="", page=1)


def space_of(told: Mapping[str, str]) -> str:
    """Which space an address names. What cannot be one is nobody's, and is answered like one."""
    named = told.get("space", "")
    return named if not named or SPACE_ID.fullmatch(named) else "none"
