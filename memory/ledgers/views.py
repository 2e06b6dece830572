"""Views: the agent's identity and rules, which people edit as Markdown. Each edit is a new version."""

from collections.abc import Sequence

from db.queries.ledgers import views as queries
from db.queries.ledgers.views import ViewRow
from db.queries.people.spaces import spaces_of, subject_here
from db.vocabulary import Channel, Role, Sensitivity, ViewName, ViewScope
from memory.cleaning import clean
from memory.context.fencing import fenced
from memory.context.items import FRAME, space_item
from memory.context.sections import CAPS, HEADING, SectionName
from memory.errors import Refused
from memory.model.tokens import estimate
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.unit import Unit

LONGEST = 20_000
SECTION_OF = {ViewName.IDENTITY: SectionName.IDENTITY, ViewName.RULES: SectionName.RULES}
ROUND = 50  # characters to which a suggested length is rounded


async def put(unit: Unit, name: ViewName, scope: ViewScope, content: str) -> ViewRow:
    """Store the next version of the viewer's own view or, for an owner, of the space's view. Empty text removes it."""
    if unit.viewer.channel != Channel.PRIVATE:
        raise Refused(Refusal.VIEW_CHANNEL, field="channel")
    words = redact(clean(content)).text.strip()
    if len(words) > LONGEST:
        raise Refused(Refusal.VIEW_TOO_LONG, field="content", most=LONGEST)
    await _ensure_fitting(unit, name, words)
    sensitivity = classify(words)
    if sensitivity == Sensitivity.HIGH or (scope == ViewScope.SPACE and sensitivity != Sensitivity.NONE):
        raise Refused(Refusal.VIEW_SENSITIVE, field="content")
    if scope == ViewScope.SPACE:
        await _ensure_owner(unit)
    await queries.add_view(unit.session, unit.viewer, name=name, scope=scope, content=words, now=unit.now)
    return (await history(unit, name, scope))[0]


async def get(unit: Unit) -> dict[tuple[ViewName, ViewScope], ViewRow]:
    """Return the newest version of each view for this viewer."""
    newest: dict[tuple[ViewName, ViewScope], ViewRow] = {}
    for row in await queries.views(unit.session, unit.viewer):
        newest.setdefault((row.name, row.scope), row)
    return {key: row for key, row in newest.items() if row.content}


async def history(unit: Unit, name: ViewName, scope: ViewScope) -> Sequence[ViewRow]:
    """Return every version of a view, newest first."""
    found = await queries.views(unit.session, unit.viewer)
    return [row for row in found if (row.name, row.scope) == (name, scope)]


async def _ensure_fitting(unit: Unit, name: ViewName, words: str) -> None:
    """Refuse a view that does not fit into its section: it would be stored and then left out of every prompt."""
    room = CAPS[SECTION_OF[name]].tokens - HEADING - FRAME
    if name == ViewName.IDENTITY and (subject := await subject_here(unit.session, unit.viewer)):
        room -= space_item(subject).tokens
    cost = estimate(fenced(words))
    if cost > room:
        longest = len(words) * room // cost // ROUND * ROUND
        raise Refused(Refusal.VIEW_TOO_LARGE, field="content", most=longest)


async def _ensure_owner(unit: Unit) -> None:
    """Explain the refusal in advance: the database would refuse without a clear message."""
    here = [space for space in await spaces_of(unit.session, unit.viewer) if space.id == unit.viewer.place]
    if not here or here[0].role != Role.OWNER:
        raise Refused(Refusal.VIEW_NOT_OWNER, field="scope")
