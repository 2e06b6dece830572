"""/forget: forgets what is named at once, and everything after two confirmations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot import formatting
from bot.commands.memory import timezone_of
from bot.language import texts
from memory import Attribute
from memory.errors import NotFound
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget
from memory.turn.chat import Chat

KINDS = ("about", "attribute", "topic", "from", "summary", "everything")


def arguments(words: Sequence[str]) -> Iterable[str]:
    """Return the words that can follow these."""
    match words:
        case []:
            return KINDS
        case ["attribute"]:
            return Attribute
        case _:
            return ()


@dataclass(slots=True)
class ForgetDialog:
    """Runs `/forget` and its confirmations. `step` counts the questions asked; any other command starts over."""

    chat: Chat
    step: int = 0

    async def command(self, words: str) -> tuple[str, bool]:
        """Run the command. Return the answer, and whether the person was erased."""
        kind, _, rest = words.strip().partition(" ")
        step, self.step = self.step, 0
        if words == "everything":
            self.step = 1
            return texts.FORGET_ALL_FIRST, False
        if words == "yes" and step == 1:
            self.step = 2
            return texts.FORGET_ALL_SECOND, False
        if words == "yes, everything" and step == 2:
            viewer = self.chat.viewer
            await erase(self.chat.runtime.memory, viewer.tenant, viewer.person)
            self.chat.runtime.recent.forget_person(viewer.person)
            return texts.FORGET_ALL_DONE, True
        try:
            request = await self._parse(kind, rest.strip())
        except NotFound:
            return texts.FORGET_HELP, False
        gone = await self.chat.do(lambda unit: forget(unit, request))
        self.chat.runtime.recent.forget_person(self.chat.viewer.person)
        return formatting.forgotten(gone), False

    async def _parse(self, kind: str, rest: str) -> ForgetRequest:
        match kind:
            case "about" if rest:
                return ForgetRequest(subject=rest)
            case "topic" if rest:
                return ForgetRequest(topics=[rest])
            case "attribute" if rest in set(Attribute):
                return ForgetRequest(attributes=[Attribute(rest)])
            case "summary":
                return ForgetRequest(clear_summary=True)
            case "from":
                return parse_days(rest, await timezone_of(self.chat))
            case _:
                raise NotFound


def parse_days(words: str, zone: ZoneInfo) -> ForgetRequest:
    """Parse `2026-01-01 to 2026-01-31`; both days are included."""
    first, _, last = words.partition(" to ")
    try:
        since, until = (date.fromisoformat(day.strip()) for day in (first, last))
        midnight = time(tzinfo=zone)
        return ForgetRequest(
            since=datetime.combine(since, midnight), until=datetime.combine(until + timedelta(days=1), midnight)
        )
    except (ValueError, OverflowError) as error:
        raise NotFound from error
