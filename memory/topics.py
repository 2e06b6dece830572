"""What a person's conversations are about, noted without asking a model; at most fifty, and what fades leaves first."""

from collections.abc import Sequence

from db.queries.facts import lock_facts_of
from db.queries.topics import TopicRow, put_topics, topics_of
from memory.extraction.topics import Topic, merged, topics_in
from memory.privacy.tombstones import forbidden
from memory.unit import Unit

SHOWN = 10


async def note(unit: Unit, messages: Sequence[str]) -> list[str]:
    """Merge what these messages of the viewer's are about into what is known. Gives the topics worth showing."""
    await lock_facts_of(unit.session, unit.viewer)
    known = await topics_of(unit.session, unit.viewer)
    fresh = [name for name in topics_in(messages) if not await forbidden(unit, name)]
    if fresh:
        before = [Topic(row.name, row.count, row.last_seen) for row in known]
        known = [TopicRow(each.name, each.count, each.last_seen) for each in merged(before, fresh, unit.now)]
        await put_topics(unit.session, unit.viewer, known)
    return [row.name for row in known[:SHOWN]]
