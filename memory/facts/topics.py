"""What a person's conversations are about, noted without asking a model; at most fifty, and what fades leaves first."""

from collections.abc import Sequence

from db.queries.facts import topics as queries
from db.queries.facts.topics import TopicRow
from memory.facts.lock import lock_facts
from memory.language.topics import LONGEST_READ, TopicCount, merged, topics_in
from memory.privacy.forgetting.tombstones import forbidden
from memory.privacy.redaction import ALREADY_OUT, redact
from memory.unit import Unit

SHOWN = 10


async def topics_of(unit: Unit) -> Sequence[TopicRow]:
    """What the viewer's conversations are about, the most spoken of first."""
    return await queries.topics_of(unit.session, unit.viewer)


async def note(unit: Unit, messages: Sequence[str]) -> list[str]:
    """Merge what these messages of the viewer's are about into what is known. Gives the topics worth showing."""
    await lock_facts(unit)
    known = await topics_of(unit)
    said = [without_secrets(message) for message in messages]
    fresh = [name for name in topics_in(said) if not await forbidden(unit, name)]
    if fresh:
        before = [TopicCount(row.name, row.count, row.last_seen) for row in known]
        known = [TopicRow(each.name, each.count, each.last_seen) for each in merged(before, fresh, unit.now)]
        await queries.put_topics(unit.session, unit.viewer, known)
    return [row.name for row in known[:SHOWN]]


def without_secrets(message: str) -> str:
    """What is read of a message, with a break in place of each secret."""
    return ALREADY_OUT.sub("\n", redact(message[:LONGEST_READ]).text)
