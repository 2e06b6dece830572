"""/forget: what is named, at once and for good; or everything, asked twice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot import formatting
from bot.commands.memory import timezone_of
from bot.language import texts
from memory import Attribute
from memory.errors import NotFound
from memory.privacy.forgetting.forget import Wish, erase, forget
from memory.turn.chat import Chat

KINDS = ("about", "attribute", "topic", "from", "summary", "everything")


def arguments(words: Sequence[str]) -> Iterable[str]:
    """Which words may come next, after these."""
    match words:
        case []:
            return KINDS
        case ["attribute"]:
            return Attribute
        case _:
            return ()


@dataclass(slots=True)
class Forgetting:
    """Remembers how often it was asked: only a yes in direct succession counts."""

    chat: Chat
    asked: int = 0

    async def command(self, words: str) -> tuple[str, bool]:
        """The answer, and whether the person is gone."""
        kind, _, rest = words.strip().partition(" ")
        asked, self.asked = self.asked, 0
        if words == "everything":
            self.asked = 1
            return texts.FORGET_FIRST, False
        if words == "yes" and asked == 1:
            self.asked = 2
            return texts.FORGET_SECOND, False
        if words == "yes, everything" and asked == 2:
            viewer = self.chat.viewer
            await erase(self.chat.runtime.memory, viewer.tenant, viewer.person)
            self.chat.runtime.recent.forget_person(viewer.person)
            return texts.FORGOT_EVERYTHING, True
        try:
            wish = await self._wish(kind, rest.strip())
        except NotFound:
            return texts.FORGET_HELP, False
        gone = await self.chat.do(lambda unit: forget(unit, wish))
        self.chat.runtime.recent.forget_person(self.chat.viewer.person)
        return formatting.forgotten(gone), False

    async def _wish(self, kind: str, rest: str) -> Wish:
        match kind:
            case "about" if rest:
                return Wish(subject=rest)
            case "topic" if rest:
                return Wish(topics=[rest])
            case "attribute" if rest in set(Attribute):
                return Wish(attributes=[Attribute(rest)])
            case "summary":
                return Wish(clear_summary=True)
            case "from":
                return between(rest, await timezone_of(self.chat))
            case _:
                raise NotFound


def between(words: str, zone: ZoneInfo) -> Wish:
    """`2026-01-01 to 2026-01-31`, both days included."""
    first, _, last = words.partition(" to ")
    try:
        since, until = (date.fromisoformat(day.strip()) for day in (first, last))
        midnight = time(tzinfo=zone)
        return Wish(
            since=datetime.combine(since, midnight), until=datetime.combine(until + timedelta(days=1), midnight)
        )
    except (ValueError, OverflowError) as error:
        raise NotFound from error
