"""Topics of a person's conversations, found without a model; at most fifty, the faintest dropped first."""

from collections.abc import Sequence

from db.queries.facts import topics as queries
from db.queries.facts.topics import TopicRow
from memory.facts.lock import lock_facts
from memory.language.topics import MAX_READ, TopicCount, merge_topics, topics_in
from memory.privacy.forgetting.tombstones import was_forgotten
from memory.privacy.redaction import ALREADY_OUT, redact
from memory.unit import Unit

SHOWN = 10


async def topics_of(unit: Unit) -> Sequence[TopicRow]:
    """The topics of the viewer's conversations, most frequent first."""
    return await queries.topics_of(unit.session, unit.viewer)


async def add_topics(unit: Unit, messages: Sequence[str]) -> list[str]:
    """Merge the topics of these messages into the known ones. Return the topics worth showing."""
    await lock_facts(unit)
    known = await topics_of(unit)
    texts = [without_secrets(message) for message in messages]
    fresh = [name for name in topics_in(texts) if not await was_forgotten(unit, name)]
    if fresh:
        before = [TopicCount(row.name, row.count, row.last_seen) for row in known]
        known = [TopicRow(each.name, each.count, each.last_seen) for each in merge_topics(before, fresh, unit.now)]
        await queries.put_topics(unit.session, unit.viewer, known)
    return [row.name for row in known[:SHOWN]]


def without_secrets(message: str) -> str:
    """The part of a message that is read for topics, with a line break in place of each secret."""
    return ALREADY_OUT.sub("\n", redact(message[:MAX_READ]).text)
