"""The last words of each conversation in RAM: what there is to go on when nothing can be read, or nothing is kept."""

from collections import OrderedDict, deque

MOST_CONVERSATIONS, MOST_MESSAGES, LONGEST = 2_000, 30, 4_000


class Recent:
    def __init__(self) -> None:
        self._said: OrderedDict[str, deque[tuple[bool, str]]] = OrderedDict()

    def add(self, conversation_id: str, *, by_human: bool, text: str) -> None:
        """The conversation that was silent longest is forgotten first."""
        said = self._said.setdefault(conversation_id, deque(maxlen=MOST_MESSAGES))
        self._said.move_to_end(conversation_id)
        said.append((by_human, text[:LONGEST]))
        if len(self._said) > MOST_CONVERSATIONS:
            self._said.popitem(last=False)

    def messages(self, conversation_id: str) -> list[tuple[bool, str]]:
        """Who said what, oldest first, from where a person speaks."""
        said = list(self._said.get(conversation_id, ()))
        while said and not said[0][0]:
            said.pop(0)
        return said

    def forget(self, conversation_id: str) -> None:
        self._said.pop(conversation_id, None)
