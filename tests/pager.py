"""A front end as small as one can be: a pager with lines of 80 signs. It knows `memory` and nothing else of ours."""

from dataclasses import dataclass, field
from functools import partial

from memory import Chat, KeepsakeError, Outcome, Receipt, Refused, Runtime, TurnNotice, Viewer
from memory.facts import proposals


@dataclass
class Pager:
    """One person's pager. `hear` takes a line and gives the lines that it shows."""

    chat: Chat
    cards: dict[str, str] = field(default_factory=dict)
    """What waits for a word: the hash of what was shown, by its id."""

    @classmethod
    async def connected(cls, runtime: Runtime, number: str, name: str) -> "Pager":
        chat = Chat(runtime, Viewer.in_private(runtime.settings.tenant, f"pager:{number}"))
        await chat.begin(name=name, timezone="Europe/Lisbon")
        return cls(chat)

    async def hear(self, line: str) -> list[str]:
        match line.split():
            case ["KEEP", card] if card in self.cards:
                return [await self._keep(card)]
            case _:
                return await self._say(line)

    async def _say(self, line: str) -> list[str]:
        words: list[str] = []

        async def show(delta: str) -> None:
            words.append(delta)

        outcome = await self.chat.say(line, show)
        await self.chat.mark_cards_shown(outcome.cards)
        return ["".join(words)[:80], *self._lines(outcome)]

    def _lines(self, outcome: Outcome) -> list[str]:
        self.cards |= {card.row.id: card.row.content_hash for card in outcome.cards}
        asked = [f"KEEP {card.row.id}? {card.row.content}" for card in outcome.cards]
        return [*map(_receipt, outcome.receipts), *map(_notice, outcome.notices), *asked]

    async def _keep(self, card: str) -> str:
        try:
            return _receipt(
                await self.chat.do(partial(proposals.accept, proposal_id=card, content_hash=self.cards.pop(card)))
            )
        except Refused as refusal:
            return f"NO {refusal}"


def _receipt(receipt: Receipt) -> str:
    return f"{receipt.kind.upper()} {receipt.row.words}"


def _notice(notice: TurnNotice) -> str:
    error = notice.values.get("error")
    return f"! {notice.code} {error if isinstance(error, KeepsakeError) else ''}".rstrip()
