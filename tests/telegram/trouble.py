"""Trouble on request: refusals, hanging answers, cut connections and methods that a server lacks."""

from dataclasses import dataclass
from typing import Any

from tests.telegram.request import Refused

USUAL = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden: bot was kicked from the group chat",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


@dataclass
class Trouble:
    """What befalls the next calls of a method: all that is set happens, the effect before or after."""

    method: str
    times: int
    chat_id: int | None = None
    refusal: Refused | None = None
    seconds: float = 0
    drops: bool = False
    after_effect: bool = False

    def befalls(self, method: str, params: dict[str, Any]) -> bool:
        return self.method == method and self.times > 0 and self.chat_id in (None, params.get("chat_id"))


class Troubles:
    """Planned trouble, used up in the order of its planning."""

    def __init__(self) -> None:
        self.planned: list[Trouble] = []
        self.forgotten: set[str] = set()

    def plan(self, trouble: Trouble) -> None:
        self.planned.append(trouble)

    def next_for(self, method: str, params: dict[str, Any]) -> Trouble | None:
        for trouble in self.planned:
            if trouble.befalls(method, params):
                trouble.times -= 1
                if not trouble.times:
                    self.planned.remove(trouble)
                return trouble
        return None


def refusal(code: int, description: str | None, retry_after: int) -> Refused:
    if code == 429:
        return Refused(429, description or f"Too Many Requests: retry after {retry_after}", retry_after=retry_after)
    return Refused(code, description or USUAL.get(code, "Internal Server Error"))
