"""The last words of each conversation in RAM: what there is to go on when nothing can be read, or nothing is kept."""

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace

MOST_CONVERSATIONS, MOST_MESSAGES, LONGEST = 2_000, 30, 4_000


@dataclass(frozen=True, slots=True)
class RecentMessage:
    """One message; `frame` is what the program knows of it, `person` to whom or by whom it was said."""

    by_human: bool
    text: str
    frame: str = ""
    person: str = ""
    is_sensitive: bool = False
    at: float = field(default=0.0, compare=False)
    """By the clock of this process, from when it was added on."""


class Recent:
    def __init__(self) -> None:
        self._said: OrderedDict[str, deque[RecentMessage]] = OrderedDict()

    def add(self, conversation_id: str, heard: RecentMessage) -> None:
        """The conversation that was silent longest is forgotten first; of a long message the end is."""
        said = self._said.setdefault(conversation_id, deque(maxlen=MOST_MESSAGES))
        self._said.move_to_end(conversation_id)
        said.append(replace(heard, text=heard.text[:LONGEST], at=time.monotonic()))
        if len(self._said) > MOST_CONVERSATIONS:
            self._said.popitem(last=False)

    def messages(self, conversation_id: str) -> list[RecentMessage]:
        """Oldest first, from where a person speaks."""
        said = list(self._said.get(conversation_id, ()))
        while said and not said[0].by_human:
            said.pop(0)
        return said

    @property
    def people(self) -> set[str]:
        return {heard.person for said in self._said.values() for heard in said}

    def forget(self, conversation_id: str) -> None:
        self._said.pop(conversation_id, None)

    def forget_person(self, person: str, *, until: float | None = None) -> None:
        """What was said by them or to them, wherever that was; all of it, or until a moment."""
        for conversation_id, said in list(self._said.items()):
            kept = [heard for heard in said if heard.person != person or (until is not None and heard.at > until)]
            if len(kept) < len(said):
                self._said[conversation_id] = deque(kept, maxlen=MOST_MESSAGES)
