"""The query string of the fact list: parsed leniently, and written for links back to the same place."""

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
    """Which facts to list. Invalid parameters are ignored."""

    space: str = ""
    """A shared space; "" for the person's own facts."""
    category: Category | None = None
    about: str = ""
    words: str = ""
    page: int = 1
    deleted: bool = False

    @classmethod
    def of(cls, params: Mapping[str, str]) -> "ListQuery":
        category, page = params.get("category", ""), params.get("page", "")
        return cls(
            space=space_of(params),
            category=Category(category) if category in set(Category) else None,
            about=visible(params.get("about", ""))[:LONGEST],
            words=visible(params.get("q", ""))[:LONGEST],
            page=max(int(page), 1) if page.isascii() and page.isdigit() and len(page) < 6 else 1,
            deleted=params.get("deleted") == "1",
        )

    @classmethod
    def parse(cls, query: str) -> "ListQuery":
        try:
            return cls.of(dict(parse_qsl(query[: 10 * LONGEST])))
        except ValueError:
            return cls()

    @property
    def query(self) -> str:
        params = {
            "space": self.space,
            "category": self.category or "",
            "about": self.about,
            "q": self.words,
            "page": str(self.page) if self.page > 1 else "",
            "deleted": "1" if self.deleted else "",
        }
        return urlencode({name: value for name, value in params.items() if value})

    @property
    def path(self) -> str:
        """The path below `/review`."""
        return f"/memory?{self.query}" if self.query else "/memory"

    def on_page(self, page: int) -> "ListQuery":
        return replace(self, page=page)

    def in_category(self, category: Category | None) -> "ListQuery":
        return replace(self, category=category, page=1)

    def about_subject(self, subject: str) -> "ListQuery":
        return replace(self, about=subject, words="", page=1)


def space_of(params: Mapping[str, str]) -> str:
    """Return the space that the query names. An invalid id becomes one that does not exist."""
    space = params.get("space", "")
    return space if not space or SPACE_ID.fullmatch(space) else "none"
