"""Finds out which person in an export is the one it is imported for. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory.errors import Refused
from memory.importing.account import Account
from memory.refusals import Refusal

MAX_NAMES = 20
NUMBER = re.compile(r"(?:user)?(\d{1,20})")


@dataclass(frozen=True, slots=True)
class ExportOwner:
    id: str
    name: str


def find_owner(account: Account, person: str, known: str, requested: str | None) -> ExportOwner:
    """The one `requested`, else the export's account, the `known` id, or the only candidate.

    A wrong owner would get somebody else's messages. So an export of another person is refused, and where the owner is
    not certain, the user has to name one. `known` is the person's id in exports of this format, or empty.
    """
    if requested is not None:
        return _requested_owner(account, requested)
    if not account.message_counts:
        return ExportOwner("", "")
    candidates = account.candidates & account.message_counts.keys()
    possible = {account.owner_id} if account.owner_id else candidates
    if known and possible and known not in possible:
        raise Refused(Refusal.IMPORT_OTHER_PERSON, person=person, people=list_people(account, possible))
    is_silent = account.message_counts.keys() <= account.partners
    certain = account.owner_id or known
    if certain in account.message_counts or (certain and is_silent):
        return _named(account, certain)
    if len(possible) == 1 and possible <= account.message_counts.keys():
        return _named(account, *possible)
    if is_silent:
        raise Refused(Refusal.IMPORT_SILENT, people=list_people(account, account.message_counts))
    raise Refused(Refusal.IMPORT_WHO, people=list_people(account, candidates or account.message_counts))


def list_people(account: Account, ids: Iterable[str]) -> str:
    """Names with their ids, the most frequent writers first."""
    ranked = sorted(ids, key=lambda id: (-account.message_counts.get(id, 0), id))
    people = [f"{account.names.get(id, id)} ({id})" for id in ranked[:MAX_NAMES]]
    return ", ".join([*people, *(["…"] if len(ranked) > MAX_NAMES else [])])


def _requested_owner(account: Account, requested: str) -> ExportOwner:
    wanted = requested.strip().lstrip("@").casefold()
    matches = [id for id, name in account.names.items() if wanted in {id.casefold(), name.casefold()}]
    matches = matches or [id for id in account.names if id in {f"user{wanted}", f"channel{wanted}"}]
    if len(matches) == 1:
        return _named(account, matches[0])
    if not matches and (number := NUMBER.fullmatch(wanted)):
        return _named(account, f"user{number[1]}")  # somebody who wrote nothing in it
    raise Refused(Refusal.IMPORT_WHO, people=list_people(account, matches or account.message_counts))


def _named(account: Account, id: str) -> ExportOwner:
    return ExportOwner(id, account.names.get(id, id))
