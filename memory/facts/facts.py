"""Facts and how their owner changes them: store, revise, share and hide, each as a new version."""

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
from memory.language.terms import normalise
from memory.privacy.channels import ensure_fit_for
from memory.privacy.classify import classify
from memory.privacy.forgetting.cached_copies import drop_cached_copies
from memory.privacy.forgetting.tombstones import was_forgotten
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.unit import Unit

SHORTEST, LONGEST = 5, 500
LONGEST_SUBJECT = 200
UNCONFIRMED = frozenset({Approval.AUTO, Approval.WORDS})
# The minimum sensitivity of an attribute, whatever the content.
MIN_SENSITIVITY = {
    Attribute.FAITH: Sensitivity.HIGH,
    Attribute.LOCATION: Sensitivity.LOW,
    Attribute.FAMILY_MEMBER: Sensitivity.LOW,
    Attribute.IMPORTANT_DATE: Sensitivity.LOW,
}


class SubjectConflict(Refused):
    """A fact about this subject exists already, and may be the one to change."""

    def __init__(self, rows: Sequence[FactRow], code: Refusal = Refusal.SUBJECT_KNOWN) -> None:
        self.rows = rows
        known = "; ".join(f"[id:{row.id}] {row.words}" for row in rows)
        about = rows[0].subject or rows[0].attribute
        super().__init__(code, about=about, known=known)


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact to be stored. Without an `author` the words are the owner's own."""

    content: str
    category: Category
    subject: str | None = None
    attribute: Attribute | None = None
    value: dict[str, Any] | None = None
    importance: float = 0.5
    source_event_id: str | None = None
    span: tuple[int, int] | None = None
    author: str | None = None


def clean_content(text: str) -> str:
    """Return the text as it can be stored. Refuse a wrong length or a secret."""
    words = visible(text)
    if not SHORTEST <= len(words) <= LONGEST:
        raise Refused(Refusal.FACT_LENGTH, field="content", least=SHORTEST, most=LONGEST)
    if secret := redact(words).kinds:
        raise Refused(Refusal.FACT_SECRET, field="content", kinds=", ".join(secret))
    return words


def sensitivity_of(content: str, attribute: Attribute | None, before: FactRow | None = None) -> Sensitivity:
    """The sensitivity of a fact, never below that of its previous version."""
    least = MIN_SENSITIVITY.get(attribute, Sensitivity.NONE) if attribute else Sensitivity.NONE
    return Sensitivity.most(classify(content), least, before.sensitivity if before else least)


def subject_in(subject: str | None, content: str) -> str | None:
    """The subject, if the content names it."""
    wanted = visible(subject or "")
    return wanted if wanted and len(wanted) <= LONGEST_SUBJECT and normalise(wanted) in normalise(content) else None


async def remember(
    unit: Unit, draft: FactDraft, approval: Approval, *, separate: bool = False, replaces: bool = True
) -> Receipt:
    """Store a fact. The same words again are the same fact. For an attribute with a single value, the present fact is
    revised if `replaces`. If a fact about the subject exists, raise `SubjectConflict` unless `separate`."""
    content = clean_content(draft.content)
    await lock_facts(unit)
    await ensure_category_allowed(unit, draft.category)
    await ensure_not_forgotten(unit, content, approval)
    subject = subject_in(draft.subject, content)
    alike = await similar_facts(unit, content, subject=subject, attribute=draft.attribute)
    own = [row for row in alike if not row.forgotten]
    if same := _with_same_words(own, content, draft.attribute):
        return Receipt.of_known(same, draft.source_event_id)
    present = next((row for row in own if row.attribute == draft.attribute and draft.attribute in ONE_VALUE), None)
    if present and not replaces:
        raise SubjectConflict([present])
    if present:
        return await revise(unit, present.id, replace(draft, content=content), approval)
    visibility = Visibility.SHARED if unit.viewer.is_aloud else Visibility.PRIVATE
    if deleted := _with_same_words([row for row in alike if row.forgotten], content, draft.attribute):
        restored = replace(
            unchanged_version(deleted, approval), forgotten=False, visibility=visibility, space=unit.viewer.place
        )
        return Receipt(ReceiptKind.RESTORED, await append_version(unit, deleted, restored), before=deleted)
    known = [row for row in own if subject and normalise(row.subject or "") == normalise(subject)]
    if known and not separate:
        raise SubjectConflict(known)
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
    return Receipt(ReceiptKind.STORED, await append_version(unit, fact_id, new))


async def revise(unit: Unit, fact_id: str, draft: FactDraft, approval: Approval) -> Receipt:
    """Change the words of one of the viewer's facts. A mere change of spelling needs the owner's own command."""
    content = clean_content(draft.content)
    before = await own_fact(unit, fact_id)
    await ensure_category_allowed(unit, before.category)
    await ensure_not_forgotten(unit, content, approval)
    same = await fact_with_words(unit, content, before.attribute)
    if same and ((same.id, approval) != (fact_id, Approval.COMMAND) or same.words == content):
        return Receipt(ReceiptKind.KNOWN, same)
    new = replace(
        unchanged_version(before, approval),
        content=content,
        subject=subject_in(draft.subject, content) or subject_in(before.subject, content),
        value=draft.value,
        sensitivity=sensitivity_of(content, before.attribute, before),
        author=draft.author or unit.viewer.person,
        source_event_id=draft.source_event_id,
        span=draft.span,
    )
    ensure_fit_for(unit.viewer, before.category, new.sensitivity)
    return Receipt(ReceiptKind.CHANGED, await append_version(unit, before, new), before)


async def hide(unit: Unit, fact_id: str, approval: Approval) -> Receipt:
    """Delete one of the viewer's facts: it disappears everywhere at once and can be restored until the purge."""
    before = await own_fact(unit, fact_id)
    row = await append_version(unit, before, replace(unchanged_version(before, approval), forgotten=True))
    return Receipt(ReceiptKind.FORGOTTEN, row, before)


async def share(unit: Unit, fact_id: str) -> Receipt:
    """Share one of the viewer's facts with all members of the viewer's space, from its present version on."""
    before = await own_fact(unit, fact_id)
    if unit.viewer.place == personal_space(unit.viewer.person):
        raise Refused(Refusal.NOBODY_TO_SHARE_WITH, field="space_id")
    shared = replace(unchanged_version(before, Approval.COMMAND), visibility=Visibility.SHARED, space=unit.viewer.place)
    if (before.visibility, before.space) == (shared.visibility, shared.space):
        return Receipt(ReceiptKind.KNOWN, before)
    return Receipt(ReceiptKind.SHARED, await append_version(unit, before, shared), before)


async def unshare(unit: Unit, fact_id: str) -> Receipt:
    before = await own_fact(unit, fact_id)
    if before.visibility == Visibility.PRIVATE:
        return Receipt(ReceiptKind.KNOWN, before)
    home = personal_space(unit.viewer.person)
    private = replace(unchanged_version(before, Approval.COMMAND), visibility=Visibility.PRIVATE, space=home)
    return Receipt(ReceiptKind.UNSHARED, await append_version(unit, before, private), before)


async def own_fact(unit: Unit, fact_id: str) -> FactRow:
    """Return a fact that the viewer owns, locked until the unit ends."""
    await lock_facts(unit)
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    if row is None or row.owner != unit.viewer.user or row.forgotten:
        raise NotFound(Refusal.FACT_NOT_FOUND)
    return (await unit.vault.open_rows([row]))[0]


async def readable_fact(unit: Unit, fact_id: str) -> FactRow:
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    if row is None or row.forgotten:
        raise NotFound(Refusal.FACT_NOT_FOUND)
    return (await unit.vault.open_rows([row]))[0]


async def own_facts(unit: Unit) -> list[FactRow]:
    return await unit.vault.open_rows(await queries.own_facts(unit.session, unit.viewer))


async def similar_facts(
    unit: Unit, content: str, *, subject: str | None = None, attribute: Attribute | None = None
) -> list[FactRow]:
    """The viewer's own facts, hidden ones included, with the same words, subject or attribute. Sealed facts are all
    included, since they must be opened to compare them."""
    wanted = {normalise(content), *([normalise(subject)] if subject else [])}
    alike = [
        words.id
        for words in await queries.own_words(unit.session, unit.viewer)
        if words.content is None
        or normalise(words.content) in wanted
        or (subject and normalise(words.subject or "") in wanted)
        or (attribute and words.attribute == attribute)
    ]
    return await unit.vault.open_rows(await queries.facts_by_id(unit.session, unit.viewer, alike) if alike else [])


async def fact_with_words(unit: Unit, content: str, attribute: Attribute | None) -> FactRow | None:
    """The viewer's own visible fact that has these words already."""
    present = [row for row in await similar_facts(unit, content, attribute=attribute) if not row.forgotten]
    return _with_same_words(present, content, attribute)


async def all_facts(unit: Unit) -> list[FactRow]:
    """All facts that the viewer may read, in snapshot order."""
    return await unit.vault.open_rows(await queries.present_facts(unit.session, unit.viewer))


async def ensure_category_allowed(unit: Unit, category: Category) -> None:
    if category in (await choices_of(unit.session, unit.viewer)).never_remember:
        raise Refused(Refusal.CATEGORY_OFF, field="category", kind=category)


async def ensure_not_forgotten(unit: Unit, content: str, approval: Approval) -> None:
    """Refuse forgotten content, unless its owner brings it back explicitly."""
    if approval not in UNCONFIRMED:
        return
    hidden = [row for row in await similar_facts(unit, content) if row.forgotten]
    if _with_same_words(hidden, content, None) or await was_forgotten(unit, content):
        raise Refused(Refusal.FORGOTTEN_ON_REQUEST, field="content")


def unchanged_version(row: FactRow, approval: Approval) -> NewVersion:
    """The present state of a fact as a new version, for `replace` to change."""
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


async def append_version(unit: Unit, fact: FactRow | str, new: NewVersion) -> FactRow:
    """Write the next version of a fact, sealed if it is sensitive, and read it back. Open cards about the fact expire.
    When it is hidden, cached replies that may repeat it are dropped."""
    fact_id = fact if isinstance(fact, str) else fact.id
    if new.sensitivity == Sensitivity.HIGH and new.content is not None:
        words = {"content": new.content, "subject": new.subject, "value": new.value}
        sealed = await unit.vault.seal(fact_id, words)
        new = replace(new, content=None, subject=None, value=None, sealed=sealed)
    await queries.add_version(unit.session, unit.viewer, fact_id, new, unit.now)
    await expire_about(unit.session, unit.viewer, fact_id)
    if new.forgotten:
        await drop_cached_copies(unit)
    if new.sensitivity == Sensitivity.HIGH and new.source_event_id:
        await seal_event(unit, new.source_event_id)
    row = await queries.fact(unit.session, unit.viewer, fact_id)
    assert row is not None, "the writer of a fact can read it"
    return (await unit.vault.open_rows([row]))[0]


def _with_same_words(rows: Sequence[FactRow], content: str, attribute: Attribute | None) -> FactRow | None:
    """The first row with these words and this attribute, or any attribute if it is None."""
    same = [row for row in rows if normalise(row.words) == normalise(content)]
    return next((row for row in same if attribute in (None, row.attribute)), None)
