"""The structured profile: the facts that have an attribute, their update, and their text for a prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from db.queries.facts.facts import FactRow
from db.vocabulary import ONE_VALUE, Approval, Attribute, Category
from memory.cleaning import visible
from memory.context.fencing import one_line
from memory.errors import Refused
from memory.facts.facts import FactDraft, hide, own_facts, remember, revise
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt
from memory.language.terms import normalise
from memory.strict import StrictModel
from memory.unit import Unit

MAX_TOPICS, LONGEST_TEXT = 10, 2000
LABELS = {
    Attribute.NAME: "Name",
    Attribute.PREFERRED_NAME: "Preferred name",
    Attribute.OCCUPATION: "Occupation",
    Attribute.LOCATION: "Location",
    Attribute.COMMUNICATION_STYLE: "Communication style",
    Attribute.FAITH: "Faith",
    Attribute.INTEREST: "Interest",
    Attribute.FAMILY_MEMBER: "Family",
    Attribute.GOAL: "Goal",
    Attribute.IMPORTANT_DATE: "Important date",
    Attribute.INTERACTION_PREFERENCE: "Interaction preference",
    Attribute.CUSTOM: "Note",
}
CATEGORIES = {
    Attribute.OCCUPATION: Category.OCCUPATION,
    Attribute.INTEREST: Category.HOBBY,
    Attribute.FAMILY_MEMBER: Category.RELATIONSHIP,
    Attribute.IMPORTANT_DATE: Category.MILESTONE,
    Attribute.COMMUNICATION_STYLE: Category.PREFERENCE,
    Attribute.INTERACTION_PREFERENCE: Category.PREFERENCE,
}
STYLES = ("formal", "casual", "technical", "simple")


class FamilyMember(StrictModel):
    relation: str = Field(min_length=1, max_length=100)
    name: str | None = Field(default=None, max_length=100)
    notes: str | None = Field(default=None, max_length=200)


class ImportantDate(StrictModel):
    label: str = Field(min_length=1, max_length=200)
    date: str | None = Field(default=None, max_length=100)


class Preferences(StrictModel):
    """All twelve attributes. In an update, only the named ones change; an empty value deletes the attribute."""

    name: str | None = Field(default=None, max_length=200)
    preferred_name: str | None = Field(default=None, max_length=200)
    occupation: str | None = Field(default=None, max_length=200)
    location: str | None = Field(default=None, max_length=200)
    communication_style: str | None = Field(default=None, pattern=f"^({'|'.join(STYLES)})$")
    faith_context: str | None = Field(default=None, max_length=200)
    interests: list[str] = Field(default_factory=list, max_length=100)
    family_members: list[FamilyMember] = Field(default_factory=list, max_length=100)
    goals: list[str] = Field(default_factory=list, max_length=100)
    important_dates: list[ImportantDate] = Field(default_factory=list, max_length=100)
    interaction_preferences: list[str] = Field(default_factory=list, max_length=100)
    custom: dict[str, str] = Field(default_factory=dict, max_length=100)


# The attribute of each field of `Preferences`.
FIELDS = {
    "name": Attribute.NAME,
    "preferred_name": Attribute.PREFERRED_NAME,
    "occupation": Attribute.OCCUPATION,
    "location": Attribute.LOCATION,
    "communication_style": Attribute.COMMUNICATION_STYLE,
    "faith_context": Attribute.FAITH,
    "interests": Attribute.INTEREST,
    "family_members": Attribute.FAMILY_MEMBER,
    "goals": Attribute.GOAL,
    "important_dates": Attribute.IMPORTANT_DATE,
    "interaction_preferences": Attribute.INTERACTION_PREFERENCE,
    "custom": Attribute.CUSTOM,
}


@dataclass(frozen=True, slots=True)
class Profile:
    facts: Mapping[Attribute, Sequence[FactRow]]
    created_at: datetime | None = None
    """When the first fact of any kind was stored."""
    updated_at: datetime | None = None
    """When any fact was last changed."""

    def values(self, attribute: Attribute) -> list[dict[str, Any]]:
        return [value_of(row) for row in self.facts.get(attribute, ())]

    @property
    def preferences(self) -> Preferences:
        """The profile as structured values; a fact without a structured value gives its words."""
        found: dict[str, Any] = {}
        for field, attribute in FIELDS.items():
            values = self.values(attribute)
            if attribute in ONE_VALUE:
                found[field] = values[0]["value"] if values else None
            elif attribute == Attribute.CUSTOM:
                found[field] = {value["key"]: value["value"] for value in values}
            elif attribute == Attribute.FAMILY_MEMBER:
                found[field] = [FamilyMember.model_construct(**value) for value in values]
            elif attribute == Attribute.IMPORTANT_DATE:
                found[field] = [ImportantDate.model_construct(**value) for value in values]
            else:
                found[field] = [value["value"] for value in values]
        return Preferences.model_construct(**found)


async def profile_of(unit: Unit) -> Profile:
    grouped: dict[Attribute, list[FactRow]] = {}
    rows = await own_facts(unit)
    for row in rows:
        if row.attribute is not None:
            grouped.setdefault(row.attribute, []).append(row)
    created_at = min((row.created_at for row in rows), default=None)
    return Profile(grouped, created_at, max((row.updated_at for row in rows), default=None))


async def update_profile(unit: Unit, update: Preferences) -> list[Receipt]:
    """Set the attributes named in the update. Values of a list that it no longer names are deleted."""
    await lock_facts(unit)
    present = await profile_of(unit)
    receipts: list[Receipt] = []
    for field in (name for name in FIELDS if name in update.model_fields_set):
        attribute, rows = FIELDS[field], list(present.facts.get(FIELDS[field], ()))
        wanted = _values(attribute, getattr(update, field))
        by_words = {normalise(as_sentence(attribute, value_of(row))): row for row in rows}
        missing = [value for value in wanted if normalise(as_sentence(attribute, value)) not in by_words]
        listed = {normalise(as_sentence(attribute, value)) for value in wanted}
        leaving = [row for words, row in by_words.items() if words not in listed]
        for value in missing:
            unit = replace(unit, now=unit.now + timedelta(microseconds=1))  # keeps the order of the list
            successor = _successor(attribute, value, leaving)
            if successor:
                leaving.remove(successor)
            try:
                receipts.append(await _set(unit, attribute, value, successor))
            except Refused as refused:
                refused.field = field
                raise
        for row in leaving:
            receipts.append(await hide(unit, row.id, Approval.COMMAND))
    return receipts


async def _set(unit: Unit, attribute: Attribute, value: dict[str, Any], before: FactRow | None) -> Receipt:
    category = CATEGORIES.get(attribute, Category.OTHER)
    draft = FactDraft(as_sentence(attribute, value), category, attribute=attribute, value=value)
    if before is None:
        return await remember(unit, draft, Approval.COMMAND, separate=True)
    return await revise(unit, before.id, draft, Approval.COMMAND)


def value_of(row: FactRow) -> dict[str, Any]:
    """The structured value of a fact, or its words where it has none."""
    if row.value is not None:
        return row.value
    match row.attribute:
        case Attribute.FAMILY_MEMBER:
            return {"relation": row.words}
        case Attribute.IMPORTANT_DATE:
            return {"label": row.words}
        case Attribute.CUSTOM:
            return {"key": row.subject or row.id, "value": row.words}
        case _:
            return {"value": row.words}


def as_sentence(attribute: Attribute, value: Mapping[str, Any]) -> str:
    """The text stored with a value: "Location: Oslo"."""
    match attribute:
        case Attribute.FAMILY_MEMBER:
            name, notes = value.get("name"), value.get("notes")
            text = f"{value['relation']} ({name})" if name else str(value["relation"])
            text = f"{text}, {notes}" if notes else text
        case Attribute.IMPORTANT_DATE:
            text = f"{value['label']}, {value['date']}" if value.get("date") else str(value["label"])
        case Attribute.CUSTOM:
            text = f"{value['key']}: {value['value']}"
        case _:
            text = str(value["value"])
    return f"{LABELS[attribute]}: {text}"


def format_profile(
    profile: Profile,
    topics: Sequence[str] = (),
    summary: str = "",
    *,
    most_topics: int = MAX_TOPICS,
    longest: int = LONGEST_TEXT,
) -> str:
    """The profile as text for a prompt: whole lines only, at most `longest` characters."""
    about = [f"- {LABELS[a]}: {', '.join(_labelled_values(profile, a))}" for a in Attribute if profile.facts.get(a)]
    discussed = [f"Topics discussed before: {', '.join(map(one_line, topics[:most_topics]))}"] if topics else []
    earlier = [one_line(line) for line in summary.splitlines() if line.strip()]
    lines: list[str] = []
    for heading, part in (("About this user:", about), ("", discussed), ("From earlier conversations:", earlier)):
        room = longest - sum(len(line) + 1 for line in lines) - (len(heading) + 1 if heading else 0)
        fitting = []
        for line in part:
            if len(line) <= room:
                fitting.append(line)
                room -= len(line) + 1
        lines += [*([heading] if heading else []), *fitting] if fitting else []
    return "\n".join(lines)


def _labelled_values(profile: Profile, attribute: Attribute) -> list[str]:
    label = f"{LABELS[attribute]}: "
    return [one_line(as_sentence(attribute, value)).removeprefix(label) for value in profile.values(attribute)]


def _values(attribute: Attribute, given: Any) -> list[dict[str, Any]]:
    """The distinct values given for an attribute, each as a dictionary."""
    if attribute == Attribute.CUSTOM:
        values = [{"key": key, "value": value} for key, value in given.items() if key.strip() and value.strip()]
    elif attribute in {Attribute.FAMILY_MEMBER, Attribute.IMPORTANT_DATE}:
        values = [each.model_dump(exclude_none=True) for each in given]
    elif attribute in ONE_VALUE:
        values = [{"value": given.strip()}] if given and given.strip() else []
    else:
        values = [{"value": each.strip()} for each in given if each.strip()]
    values = [
        {name: visible(part) if isinstance(part, str) else part for name, part in value.items()} for value in values
    ]
    return list({normalise(as_sentence(attribute, value)): value for value in values}.values())


def _successor(attribute: Attribute, value: Mapping[str, Any], leaving: Sequence[FactRow]) -> FactRow | None:
    """The fact that this value replaces: the single value of the attribute, or the one with the same key, person or
    date."""
    if attribute in ONE_VALUE:
        return leaving[0] if leaving else None
    for key in ("key", "label", "relation"):
        if key in value:
            return next((row for row in leaving if value_of(row).get(key) == value[key]), None)
    return None
