"""Who in an export is the person that it is imported for. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory.errors import Refused
from memory.importing.account import Account

MOST_NAMED = 20
WHICH = "Who of them are you? Say it with --as and a name or a number: {people}."
ANOTHER = (
    "You import this for {person}, but it comes from {people}. If that is you too, say so with --as and its number."
)
SILENT = "You say nothing in it, only {people}. Say with --as which number you have in Telegram."
NUMBER = re.compile(r"(?:user)?(\d{1,20})")


@dataclass(frozen=True, slots=True)
class Me:
    id: str
    name: str


def me_in(account: Account, person: str, known: str, asked: str | None) -> Me:
    """As they say themselves, as the export says, as they are known here, or as the only one who is left. Whoever is
    taken for somebody else gets their words: where these differ, or nobody speaks by that number, they are asked.
    `known` is the person's id in exports of that format, or empty."""
    if asked is not None:
        return _asked_for(account, asked)
    if not account.said:
        return Me("", "")
    perhaps = account.perhaps & account.said.keys()
    told = {account.own} if account.own else perhaps
    if known and told and known not in told:
        raise Refused(ANOTHER, person=person, people=people(account, told))
    is_silent = account.said.keys() <= account.others
    certain = account.own or known
    if certain in account.said or (certain and is_silent):
        return _named(account, certain)
    if len(told) == 1 and told <= account.said.keys():
        return _named(account, *told)
    if is_silent:
        raise Refused(SILENT, people=people(account, account.said))
    raise Refused(WHICH, people=people(account, perhaps or account.said))


def people(account: Account, ids: Iterable[str]) -> str:
    """Names with their numbers, those who said most first."""
    found = sorted(ids, key=lambda id: (-account.said.get(id, 0), id))
    told = [f"{account.names.get(id, id)} ({id})" for id in found[:MOST_NAMED]]
    return ", ".join([*told, *(["…"] if len(found) > MOST_NAMED else [])])


def _asked_for(account: Account, asked: str) -> Me:
    wanted = asked.strip().lstrip("@").casefold()
    found = [id for id, name in account.names.items() if wanted in {id.casefold(), name.casefold()}]
    found = found or [id for id in account.names if id in {f"user{wanted}", f"channel{wanted}"}]
    if len(found) == 1:
        return _named(account, found[0])
    if not found and (number := NUMBER.fullmatch(wanted)):
        return _named(account, f"user{number[1]}")  # who says nothing in it
    raise Refused(WHICH, people=people(account, found or account.said))


def _named(account: Account, id: str) -> Me:
    return Me(id, account.names.get(id, id))
