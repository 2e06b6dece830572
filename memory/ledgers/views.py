"""Views: who the agent is and by which rules it acts, in Markdown that people edit; an edit is a new version."""

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
from memory.unit import Unit

LONGEST = 20_000
SECTION_OF = {ViewName.IDENTITY: SectionName.IDENTITY, ViewName.RULES: SectionName.RULES}
ROUND = 50  # characters


async def put(unit: Unit, name: ViewName, scope: ViewScope, content: str) -> ViewRow:
    """Write the next version: of the viewer's own view, or as an owner of the viewer's space of the space's. Empty
    words take the view back."""
    if unit.viewer.channel != Channel.PRIVATE:
        raise Refused("Views are edited in private, by people.", field="channel")
    words = redact(clean(content)).text.strip()
    if len(words) > LONGEST:
        raise Refused("Not kept: a view has at most {most:,} characters.", field="content", most=LONGEST)
    await _ensure_fitting(unit, name, words)
    sensitivity = classify(words)
    if sensitivity == Sensitivity.HIGH or (scope == ViewScope.SPACE and sensitivity != Sensitivity.NONE):
        raise Refused(
            "Not kept: a view is loaded into every conversation; leave out what is sensitive.", field="content"
        )
    if scope == ViewScope.SPACE:
        await _ensure_owner(unit)
    await queries.add_view(unit.session, unit.viewer, name=name, scope=scope, content=words, now=unit.now)
    return (await history(unit, name, scope))[0]


async def get(unit: Unit) -> dict[tuple[ViewName, ViewScope], ViewRow]:
    """The views that hold for this viewer, each in its newest version."""
    newest: dict[tuple[ViewName, ViewScope], ViewRow] = {}
    for row in await queries.views(unit.session, unit.viewer):
        newest.setdefault((row.name, row.scope), row)
    return {key: row for key, row in newest.items() if row.content}


async def history(unit: Unit, name: ViewName, scope: ViewScope) -> Sequence[ViewRow]:
    """Every version, newest first."""
    found = await queries.views(unit.session, unit.viewer)
    return [row for row in found if (row.name, row.scope) == (name, scope)]


async def _ensure_fitting(unit: Unit, name: ViewName, words: str) -> None:
    """What does not fit into its section would be kept, shown as kept, and left out of every prompt."""
    room = CAPS[SECTION_OF[name]].tokens - HEADING - FRAME
    if name == ViewName.IDENTITY and (subject := await subject_here(unit.session, unit.viewer)):
        room -= space_item(subject).tokens
    cost = estimate(fenced(words))
    if cost > room:
        longest = len(words) * room // cost // ROUND * ROUND
        raise Refused(
            "Not kept: that has {length:,} characters, and it stands in every prompt. "
            "About {most:,} characters like these fit there.",
            length=len(words),
            most=longest,
            field="content",
        )


async def _ensure_owner(unit: Unit) -> None:
    """A clear word before the database's own no."""
    here = [space for space in await spaces_of(unit.session, unit.viewer) if space.id == unit.viewer.place]
    if not here or here[0].role != Role.OWNER:
        raise Refused("Only an owner of a space can write its views.", field="scope")
