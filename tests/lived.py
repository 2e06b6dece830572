"""A memory in which every part of the review page has something to show, hostile words among it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from db.queries.facts.topics import TopicRow, put_topics
from db.viewer import Viewer
from db.vocabulary import Category, ProposalKind, Scope
from memory.people.keys import make_key
from tests.daemon import Daemon
from tests.memories import asked, kept, said, shared, space_of_two
from tests.past import deleted, recalled, replied, revised, spent
from tests.visitor import met

SCRIPT = "<script>document.title = 'caught'; alert('caught')</script>"
EMOJI = "🧡" * 500
NOW = datetime.now(UTC)


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Lived:
    ada: Viewer
    ben: Viewer
    space: str
    fact: str
    """One that changed, was recalled, and stands behind replies."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every page that can be opened by its address, by what follows `/review`."""
        return (
            "",
            "/memory",
            "/memory?q=trombone",
            "/memory?deleted=1",
            f"/memory?space={self.space}",
            f"/memory/{self.fact}",
            "/timeline",
            f"/timeline?day={ago(5).date().isoformat()}",
            "/timeline?day=2999-01-01",
            "/insights",
            "/replies",
            "/spaces",
            f"/spaces/{self.space}",
            "/settings",
            "/data",
            "/data/erase",
            "/data/erase/last",
        )


async def lived(daemon: Daemon) -> Lived:
    memory = daemon.memory
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    old = await said(memory, ada, f"Alec plays the trombone {SCRIPT}", now=ago(20))
    fact = await kept(
        memory, ada, "My boss is called Alec", Category.PERSON, subject="Alec", source_event_id=old, now=ago(19)
    )
    for number, category in enumerate(Category):
        await kept(memory, ada, f"I own the stamp number {number}", category, now=ago(18 - number))
    for words in (SCRIPT, EMOJI):
        row = (await kept(memory, ada, words, Category.OTHER, now=ago(5))).row
        await recalled(memory, ada, row.id, 2, now=ago(2))
    gone = await kept(memory, ada, "I drive a red car", now=ago(9))
    await deleted(memory, ada, gone.row.id, now=ago(5))
    await revised(memory, ada, fact.row.id, "My boss is called Alec Weber", now=ago(5))
    await recalled(memory, ada, fact.row.id, 5, now=ago(2))
    for number in range(11):
        on, at, now = [fact.row.id], [old], ago(1 + number / 100)
        words = SCRIPT if number == 0 else EMOJI if number == 1 else f"question {number:02}"
        await replied(memory, ada, f"Alec? {words}", f"Alec! {words}", now=now, resting_on=on, looking_at=at)
    for number in range(12):
        await spent(memory, ada, now=ago(number), microdollars=3_000 * (number % 4) + 800)
    await spent(memory, ada, now=ago(3), model=f"own-model {SCRIPT}", microdollars=None)
    await spent(memory, ada, now=ago(3), model="claude-haiku-5-5", microdollars=2_000)
    space = await space_of_two(memory, ada, ben)
    await shared(memory, ada, fact.row.id, space)
    for words in (f"We grow {SCRIPT}", f"We love {EMOJI[:400]}"):
        await shared(memory, ben, (await kept(memory, ben, words, Category.PROJECT)).row.id, space)
    await asked(memory, ada, "You sing in a choir", Category.HOBBY)
    await asked(memory, ada, "My boss is Ben", Category.PERSON, kind=ProposalKind.UPDATE, about=fact.row.id)
    await make_key(memory, daemon.tenant, user=ada.person, name=SCRIPT[:90])
    await make_key(memory, daemon.tenant, user=ada.person, agent="coder", name="Editor", scopes=(Scope.READ,))
    async with memory.unit(ada) as unit:
        await put_topics(unit.session, ada, [TopicRow("tea", 3, unit.now), TopicRow("choir", 1, unit.now)])
    return Lived(ada, ben, space, fact.row.id)
