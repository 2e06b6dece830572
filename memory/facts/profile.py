"""The structured profile: a view over the facts that have an attribute, how a prompt shows it, and its updates."""

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
from memory.language.terms import plain
from memory.strict import Strict
from memory.unit import Unit

MOST_TOPICS, LONGEST_TEXT = 10, 2000
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


class FamilyMember(Strict):
    relation: str = Field(min_length=1, max_length=100)
    name: str | None = Field(default=None, max_length=100)
    notes: str | None = Field(default=None, max_length=200)


class ImportantDate(Strict):
    label: str = Field(min_length=1, max_length=200)
    date: str | None = Field(default=None, max_length=100)


class Preferences(Strict):
    """All twelve attributes. In an update only the named ones change; an empty one is forgotten."""

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


# The field of an update, the attribute it stands for.
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
    began: datetime | None = None
    """When the first fact was kept, and the last one written; with an attribute or without."""
    changed: datetime | None = None

    def values(self, attribute: Attribute) -> list[dict[str, Any]]:
        return [value_of(row) for row in self.facts.get(attribute, ())]

    @property
    def preferences(self) -> Preferences:
        """The profile as 001 gives it; a value that only its words tell is those words."""
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
    began = min((row.created_at for row in rows), default=None)
    return Profile(grouped, began, max((row.updated_at for row in rows), default=None))


async def put(unit: Unit, update: Preferences) -> list[Receipt]:
    """Set the attributes that are named, each change a version; of many values what is no longer listed is deleted."""
    await lock_facts(unit)
    present = await profile_of(unit)
    receipts: list[Receipt] = []
    for field in (name for name in FIELDS if name in update.model_fields_set):
        attribute, rows = FIELDS[field], list(present.facts.get(FIELDS[field], ()))
        wanted = _values(attribute, getattr(update, field))
        by_words = {plain(in_words(attribute, value_of(row))): row for row in rows}
        missing = [value for value in wanted if plain(in_words(attribute, value)) not in by_words]
        listed = {plain(in_words(attribute, value)) for value in wanted}
        leaving = [row for words, row in by_words.items() if words not in listed]
        for value in missing:
            unit = replace(unit, now=unit.now + timedelta(microseconds=1))  # so that a list keeps its order
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
    draft = FactDraft(in_words(attribute, value), category, attribute=attribute, value=value)
    if before is None:
        return await remember(unit, draft, Approval.COMMAND, separate=True)
    return await revise(unit, before.id, draft, Approval.COMMAND)


def value_of(row: FactRow) -> dict[str, Any]:
    """The structured value, or the words where a value was never given."""
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


def in_words(attribute: Attribute, value: Mapping[str, Any]) -> str:
    """The sentence that is stored beside a value: "Location: Oslo"."""
    match attribute:
        case Attribute.FAMILY_MEMBER:
            name, notes = value.get("name"), value.get("notes")
            said = f"{value['relation']} ({name})" if name else str(value["relation"])
            said = f"{said}, {notes}" if notes else said
        case Attribute.IMPORTANT_DATE:
            said = f"{value['label']}, {value['date']}" if value.get("date") else str(value["label"])
        case Attribute.CUSTOM:
            said = f"{value['key']}: {value['value']}"
        case _:
            said = str(value["value"])
    return f"{LABELS[attribute]}: {said}"


def format_profile(
    profile: Profile,
    topics: Sequence[str] = (),
    summary: str = "",
    *,
    most_topics: int = MOST_TOPICS,
    longest: int = LONGEST_TEXT,
) -> str:
    """The profile as a prompt shows it, whole lines only, never longer than `longest` characters."""
    about = [f"- {LABELS[a]}: {', '.join(_shown(profile, a))}" for a in Attribute if profile.facts.get(a)]
    told = [f"Topics discussed before: {', '.join(map(one_line, topics[:most_topics]))}"] if topics else []
    earlier = [one_line(line) for line in summary.splitlines() if line.strip()]
    lines: list[str] = []
    for heading, part in (("About this user:", about), ("", told), ("From earlier conversations:", earlier)):
        room = longest - sum(len(line) + 1 for line in lines) - (len(heading) + 1 if heading else 0)
        fitting = []
        for line in part:
            if len(line) <= room:
                fitting.append(line)
                room -= len(line) + 1
        lines += [*([heading] if heading else []), *fitting] if fitting else []
    return "\n".join(lines)


def _shown(profile: Profile, attribute: Attribute) -> list[str]:
    label = f"{LABELS[attribute]}: "
    return [one_line(in_words(attribute, value)).removeprefix(label) for value in profile.values(attribute)]


def _values(attribute: Attribute, given: Any) -> list[dict[str, Any]]:
    """What was given for an attribute, one dictionary for each value; of the same value twice one."""
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
    return list({plain(in_words(attribute, value)): value for value in values}.values())


def _successor(attribute: Attribute, value: Mapping[str, Any], leaving: Sequence[FactRow]) -> FactRow | None:
    """The fact that this value changes rather than joins: the one value there is, or the same key, person or date."""
    if attribute in ONE_VALUE:
        return leaving[0] if leaving else None
    for key in ("key", "label", "relation"):
        if key in value:
            return next((row for row in leaving if value_of(row).get(key) == value[key]), None)
    return None
