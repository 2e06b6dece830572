"""Facts: kept, changed, shared and hidden by their owner, each change one more version."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from db.queries.facts import facts as queries
from db.queries.facts.facts import FactRow, NewVersion
from db.queries.facts.proposals import expire_about
from db.queries.people.people import choices_of
from db.viewer import personal_space
from db.vocabulary import ONE_VALUE, Approval, Attribute, Category, Sensitivity, Visibility
from memory.cleaning import visible
from memory.errors import NotFound, Refused
from memory.events.record import seal_event
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt, ReceiptKind
from memory.language.terms import plain
from memory.privacy.channels import ensure_fit_for
from memory.privacy.classify import classify
from memory.privacy.forgetting.copies import drop_copies
from memory.privacy.forgetting.tombstones import forbidden
from memory.privacy.redaction import redact
from memory.unit import Unit

SHORTEST, LONGEST = 5, 500
LONGEST_SUBJECT = 200
UNASKED = frozenset({Approval.AUTO, Approval.WORDS})
# How careful an attribute is at least, whatever its words.
AT_LEAST = {
    Attribute.FAITH: Sensitivity.HIGH,
    Attribute.LOCATION: Sensitivity.LOW,
    Attribute.FAMILY_MEMBER: Sensitivity.LOW,
    Attribute.IMPORTANT_DATE: Sensitivity.LOW,
}


class SubjectKnown(Refused):
    """Something is remembered about this subject already; the change may belong there."""

    def __init__(self, rows: Sequence[FactRow]) -> None:
        self.rows = rows
        known = "; ".join(f"[id:{row.id}] {row.words}" for row in rows)
        about = rows[0].subject or rows[0].attribute
        super().__init__("Not stored: about {about} I know already: {known}.", about=about, known=known)


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact that its owner wants kept. Without an `author` the words are the owner's own."""

    content: str
    category: Category
    subject: str | None = None
    attribute: Attribute | None = None
    value: dict[str, Any] | None = None
    importance: float = 0.5
    source_event_id: str | None = None
    span: tuple[int, int] | None = None
    author: str | None = None


def fit_to_keep(text: str) -> str:
    """The words as they may be stored; raises where they may not."""
    words = visible(text)
    if not SHORTEST <= len(words) <= LONGEST:
        raise Refused(
            "Not stored: a fact has {least} to {most} characters.", field="content", least=SHORTEST, most=LONGEST
        )
    if secret := redact(words).kinds:
        raise Refused(
            "Not stored: that holds what looks like a secret ({kinds}).", field="content", kinds=", ".join(secret)
        )
    return words


def sensitivity_of(content: str, attribute: Attribute | None, before: FactRow | None = None) -> Sensitivity:
    """How careful one must be with these words. What was sensitive stays so."""
    least = AT_LEAST.get(attribute, Sensitivity.NONE) if attribute else Sensitivity.NONE
    return Sensitivity.most(classify(content), least, before.sensitivity if before else least)


def subject_in(subject: str | None, content: str) -> str | None:
    """A subject counts only when it stands in the words."""
    wanted = visible(subject or "")
    return wanted if wanted and len(wanted) <= LONGEST_SUBJECT and plain(wanted) in plain(content) else None


async def remember(
    unit: Unit, draft: FactDraft, approval: Approval, *, separate: bool = False, replaces: bool = True
) -> Receipt:
    """Store a new fact. The same words again are the same fact, and an attribute with one value gets a new version, if
    it may replace one; a subject that is known already raises `SubjectKnown`, unless this is another thing about it."""
    content = fit_to_keep(draft.content)
    await lock_facts(unit)
    await ensure_wanted(unit, draft.category)
    await ensure_not_forgotten(unit, content, approval)
    subject = subject_in(draft.subject, content)
    alike = await facts_like(unit, content, subject=subject, attribute=draft.attribute)
    own = [row for row in alike if not row.forgotten]
    if same := _same_words(own, content, draft.attribute):
        return Receipt.of_known(same, draft.source_event_id)
    present = next((row for row in own if row.attribute == draft.attribute and draft.attribute in ONE_VALUE), None)
    if present and not replaces:
        raise SubjectKnown([present])
    if present:
        return await revise(unit, present.id, replace(draft, content=content), approval)
    visibility = Visibility.SHARED if unit.viewer.is_aloud else Visibility.PRIVATE
    if gone := _same_words([row for row in alike if row.forgotten], content, draft.attribute):
        anew = replace(state(gone, approval), forgotten=False, visibility=visibility, space=unit.viewer.place)
        return Receipt(ReceiptKind.RESTORED, await append(unit, gone, anew), before=gone)
    known = [row for row in own if subject and plain(row.subject or "") == plain(subject)]
    if known and not separate:
        raise SubjectKnown(known)
    new = NewVersion(
        content=content,
        subject=subject,
        value=draft.value,
        sealed=None,
        space=unit.viewer.place,
        visibility=visibility,
        sensitivity=sensitivity_of(content, draft.attribute),
        author=draft.author or unit.viewer.person,
        approval=approval,
        source_event_id=draft.source_event_id,
        span=draft.span,
    )
    ensure_fit_for(unit.viewer, draft.category, new.sensitivity)
    fact_id = await queries.new_fact(
        unit.session,
        unit.viewer,
        category=draft.category,
        attribute=draft.attribute,
        importance=draft.importance,
        visibility=visibility,
        now=unit.now,
    )
    return Receipt(ReceiptKind.STORED, await append(unit, fact_id, new))


async def revise(unit: Unit, fact_id: str, draft: FactDraft, approval: Approval) -> Receipt:
    """Give a fact of the viewer's new words; the same ones in other letters only by its owner's own hand."""
    content = fit_to_keep(draft.content)
    before = await own_fact(unit, fact_id)
    await ensure_wanted(unit, before.category)
    await ensure_not_forgotten(unit, content, approval)
    same = await known_words(unit, content, before.attribute)
    if same and ((same.id, approval) != (fact_id, Approval.COMMAND) or same.words == content):
        return Receipt(ReceiptKind.KNOWN, same)
    new = replace(
        state(before, approval),
        content=content,
        subject=subject_in(draft.subject, content) or subject_in(before.subject, content),
        value=draft.value,
        sensitivity=sensitivity_of(content, before.attribute, before),
        author=draft.author or unit.viewer.person,
        source_event_id=draft.source_event_id,
        span=draft.span,
    )
    ensure_fit_for(unit.viewer, before.category, new.sensitivity)
    return Receipt(ReceiptKind.CHANGED, await append(unit, before, new), before)


async def hide(unit: Unit, fact_id: str, approval: Approval) -> Receipt:
    """Delete a fact of the viewer's: gone from everywhere at once, restorable until the purge."""
    before = await own_fact(unit, fact_id)
    row = await append(unit, before, replace(state(before, approval), forgotten=True))
    return Receipt(ReceiptKind.FORGOTTEN, row, before)


async def share(unit: Unit, fact_id: str) -> Receipt:
    """Show a fact of the viewer's, from these words on, to all members of the viewer's space."""
    before = await own_fact(unit, fact_id)
    if unit.viewer.place == personal_space(unit.viewer.person):
        raise Refused("There is nobody to share with here. Choose a space that others are in too.", field="space_id")
    shared = replace(state(before, Approval.COMMAND), visibility=Visibility.SHARED, space=unit.viewer.place)
    if (before.visibility, before.space) == (shared.visibility, shared.space):
        return Receipt(ReceiptKind.KNOWN, before)
    return Receipt(ReceiptKind.SHARED, await append(unit, before, shared), before)


async def unshare(unit: Unit, fact_id: str) -> Receipt:
    before = await own_fact(unit, fact_id)
    if before.visibility == Visibility.PRIVATE:
        return Receipt(ReceiptKind.KNOWN, before)
    home = personal_space(unit.viewer.person)
    private = replace(state(before, Approval.COMMAND), visibility=Visibility.PRIVATE, space=home)
    return Receipt(ReceiptKind.UNSHARED, await append(unit, before, private), before)


async def own_fact(unit: Unit, fact_id: str) -> FactRow:
    """A fact that this viewer may change, as it stands, and nobody else changes it until the unit ends."""
    await lock_facts(unit)
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    if row is None or row.owner != unit.viewer.user or row.forgotten:
        raise NotFound("There is no such fact.")
    return (await unit.vault.opened([row]))[0]


async def readable_fact(unit: Unit, fact_id: str) -> FactRow:
    """A fact that this viewer may read, as it stands."""
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    if row is None or row.forgotten:
        raise NotFound("There is no such fact.")
    return (await unit.vault.opened([row]))[0]


async def own_facts(unit: Unit) -> list[FactRow]:
    return await unit.vault.opened(await queries.own_facts(unit.session, unit.viewer))


async def facts_like(
    unit: Unit, content: str, *, subject: str | None = None, attribute: Attribute | None = None
) -> list[FactRow]:
    """The viewer's own facts, hidden ones too, that may say the same: in the same words, about the same subject, or for
    the same attribute; and all that are sealed, because only their owner can tell."""
    said = {plain(content), *([plain(subject)] if subject else [])}
    alike = [
        words.id
        for words in await queries.own_words(unit.session, unit.viewer)
        if words.content is None
        or plain(words.content) in said
        or (subject and plain(words.subject or "") in said)
        or (attribute and words.attribute == attribute)
    ]
    return await unit.vault.opened(await queries.facts_by_id(unit.session, unit.viewer, alike) if alike else [])


async def known_words(unit: Unit, content: str, attribute: Attribute | None) -> FactRow | None:
    """The viewer's own fact, not hidden, that has these words already."""
    present = [row for row in await facts_like(unit, content, attribute=attribute) if not row.forgotten]
    return _same_words(present, content, attribute)


async def all_facts(unit: Unit) -> list[FactRow]:
    """All that this viewer may read, in snapshot order."""
    return await unit.vault.opened(await queries.present_facts(unit.session, unit.viewer))


async def ensure_wanted(unit: Unit, category: Category) -> None:
    if category in (await choices_of(unit.session, unit.viewer)).never_remember:
        raise Refused(
            "Not stored: you asked me never to remember things of the kind “{kind}”.", field="category", kind=category
        )


async def ensure_not_forgotten(unit: Unit, content: str, approval: Approval) -> None:
    """What was forgotten, or is about to be, comes back by its owner's own word only."""
    if approval not in UNASKED:
        return
    hidden = [row for row in await facts_like(unit, content) if row.forgotten]
    if _same_words(hidden, content, None) or await forbidden(unit, content):
        raise Refused("Not stored: the user had this forgotten. Only their own order brings it back.", field="content")


def state(row: FactRow, approval: Approval) -> NewVersion:
    """The state of a fact as it stands, for a new version to differ from."""
    return NewVersion(
        content=row.content,
        subject=row.subject,
        value=row.value,
        sealed=row.sealed,
        space=row.space,
        visibility=row.visibility,
        sensitivity=row.sensitivity,
        author=row.owner,
        approval=approval,
        forgotten=row.forgotten,
        source_event_id=row.source_event_id,
        span=row.span,
    )


async def append(unit: Unit, fact: FactRow | str, new: NewVersion) -> FactRow:
    """Write the next version, sealed where it is sensitive, and read it back. Cards about what it was go with it, and
    when it is hidden, answers that may tell it."""
    fact_id = fact if isinstance(fact, str) else fact.id
    if new.sensitivity == Sensitivity.HIGH and new.content is not None:
        words = {"content": new.content, "subject": new.subject, "value": new.value}
        sealed = await unit.vault.seal(fact_id, words)
        new = replace(new, content=None, subject=None, value=None, sealed=sealed)
    await queries.add_version(unit.session, unit.viewer, fact_id, new, unit.now)
    await expire_about(unit.session, unit.viewer, fact_id)
    if new.forgotten:
        await drop_copies(unit)
    if new.sensitivity == Sensitivity.HIGH and new.source_event_id:
        await seal_event(unit, new.source_event_id)
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    assert row is not None, "who wrote a fact can read it"
    return (await unit.vault.opened([row]))[0]


def _same_words(rows: Sequence[FactRow], content: str, attribute: Attribute | None) -> FactRow | None:
    """A part of the profile is the same only as the same part: elsewhere its words may stand once more."""
    said = [row for row in rows if plain(row.words) == plain(content)]
    return next((row for row in said if attribute in (None, row.attribute)), None)
