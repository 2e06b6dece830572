"""Rows as the database would give them, for tests of pure functions."""

from typing import Any

from db.queries.facts.facts import FactRow
from db.vocabulary import Approval, Category, Sensitivity, Visibility
from tests.conftest import NOON


def fact(content: str, **given: Any) -> FactRow:
    """A fact of ada's; what does not matter to a test is filled in."""
    usual: dict[str, Any] = {
        "id": "aaaaaaaa",
        "owner": "test:ada",
        "category": Category.OTHER,
        "attribute": None,
        "importance": 0.5,
        "created_at": NOON,
        "version": 1,
        "subject": None,
        "value": None,
        "sealed": None,
        "space": "personal:test:ada",
        "visibility": Visibility.PRIVATE,
        "sensitivity": Sensitivity.NONE,
        "forgotten": False,
        "undoes": None,
        "source_event_id": None,
        "span": None,
        "author": "test:ada",
        "approval": Approval.ORDER,
        "updated_at": NOON,
    }
    return FactRow(**{**usual, **given, "content": content})
