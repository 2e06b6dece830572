"""What a person wants forgotten, read from a form: one thing at a time, so that nobody wonders what goes with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from api.review.display.numbers import short_day
from api.review.forms import Form
from api.review.language import texts
from memory import Attribute
from memory.cleaning import visible
from memory.facts.days import FIRST, beginning_of_day
from memory.privacy.forgetting.forget import Wish

LONGEST = 200
LAST = date(2999, 12, 31)
FIELDS = {
    "subject": ("words",),
    "topic": ("words",),
    "attribute": ("words",),
    "span": ("since", "until"),
    "summaries": (),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A wish, in words, and the fields that say it again."""

    kind: str
    wish: Wish
    gaps: Mapping[str, str]
    fields: Mapping[str, str]


class NotSaid(Exception):
    """What is wrong with a form, in which of them, and what was typed."""

    def __init__(self, kind: str, fields: Mapping[str, str]) -> None:
        self.kind = kind if kind in FIELDS else ""
        self.fields = fields
        super().__init__(texts.DATA_WRONG[self.kind])


def wanted(form: Form, zone: ZoneInfo) -> Wanted:
    """Raises where the form says nothing that could be forgotten."""
    kind = form.get("what")
    fields = {name: visible(form.get(name))[: LONGEST + 1] for name in FIELDS.get(kind, ())}
    words = fields.get("words", "")
    match kind:
        case "subject" if 0 < len(words) <= LONGEST:
            return Wanted(kind, Wish(subject=words), fields, fields)
        case "topic" if 0 < len(words) <= LONGEST:
            return Wanted(kind, Wish(topics=[words]), fields, fields)
        case "attribute" if words in set(Attribute):
            told = {"words": texts.ATTRIBUTES[Attribute(words)]}
            return Wanted(kind, Wish(attributes=[Attribute(words)]), told, fields)
        case "span":
            since, until = _days(kind, fields)
            following = beginning_of_day(until + timedelta(days=1), zone)
            told = {"since": short_day(since), "until": short_day(until)}
            return Wanted(kind, Wish(since=beginning_of_day(since, zone), until=following), told, fields)
        case "summaries":
            return Wanted(kind, Wish(clear_summary=True), {}, {})
        case _:
            raise NotSaid(kind, fields)


def _days(kind: str, fields: Mapping[str, str]) -> tuple[date, date]:
    try:
        since, until = date.fromisoformat(fields["since"]), date.fromisoformat(fields["until"])
    except ValueError as error:
        raise NotSaid(kind, fields) from error
    if not FIRST <= since <= until <= LAST:
        raise NotSaid(kind, fields)
    return since, until
