"""Parses the form that says what to forget: one thing at a time, so that its extent is clear."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from api.review.display.numbers import short_day
from api.review.forms import Form
from api.review.language import texts
from memory import Attribute
from memory.cleaning import visible
from memory.facts.days import FIRST_DAY, beginning_of_day
from memory.privacy.forgetting.forget import ForgetRequest

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
class ForgetForm:
    kind: str
    request: ForgetRequest
    gaps: Mapping[str, str]
    """What fills the gaps of the sentence that describes the request."""
    fields: Mapping[str, str]
    """The form fields, to be posted again with the confirmation."""


class InvalidForgetForm(Exception):
    """The error message for one of the forms, with what was typed into it."""

    def __init__(self, kind: str, fields: Mapping[str, str]) -> None:
        self.kind = kind if kind in FIELDS else ""
        self.fields = fields
        super().__init__(texts.DATA_WRONG[self.kind])


def parse_forget_form(form: Form, zone: ZoneInfo) -> ForgetForm:
    kind = form.get("what")
    fields = {name: visible(form.get(name))[: LONGEST + 1] for name in FIELDS.get(kind, ())}
    words = fields.get("words", "")
    match kind:
        case "subject" if 0 < len(words) <= LONGEST:
            return ForgetForm(kind, ForgetRequest(subject=words), fields, fields)
        case "topic" if 0 < len(words) <= LONGEST:
            return ForgetForm(kind, ForgetRequest(topics=[words]), fields, fields)
        case "attribute" if words in set(Attribute):
            gaps = {"words": texts.ATTRIBUTES[Attribute(words)]}
            return ForgetForm(kind, ForgetRequest(attributes=[Attribute(words)]), gaps, fields)
        case "span":
            since, until = _days(kind, fields)
            end = beginning_of_day(until + timedelta(days=1), zone)
            gaps = {"since": short_day(since), "until": short_day(until)}
            return ForgetForm(kind, ForgetRequest(since=beginning_of_day(since, zone), until=end), gaps, fields)
        case "summaries":
            return ForgetForm(kind, ForgetRequest(clear_summary=True), {}, {})
        case _:
            raise InvalidForgetForm(kind, fields)


def _days(kind: str, fields: Mapping[str, str]) -> tuple[date, date]:
    try:
        since, until = date.fromisoformat(fields["since"]), date.fromisoformat(fields["until"])
    except ValueError as error:
        raise InvalidForgetForm(kind, fields) from error
    if not FIRST_DAY <= since <= until <= LAST:
        raise InvalidForgetForm(kind, fields)
    return since, until
