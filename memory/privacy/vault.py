"""Seals and opens what is sensitive inside one unit of work, with the data keys of the people it belongs to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.people import people
from db.viewer import Viewer
from memory.errors import KeyMissing
from memory.privacy.encryption import Keyring, new_key, seal, unseal


class Sealable(Protocol):
    """A row of a ledger: a dataclass whose words may be sealed in it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str: ...

    @property
    def sealed(self) -> bytes | None: ...


Row = TypeVar("Row", bound=Sealable)


class Vault:
    def __init__(self, session: AsyncSession, viewer: Viewer, keyring: Keyring) -> None:
        self._session = session
        self._viewer = viewer
        self._keyring = keyring
        self._wrapped: Mapping[str, bytes] | None = None
        self._keys: dict[str, bytes | None] = {}

    def as_viewer(self, viewer: Viewer) -> "Vault":
        """For a viewer who may use other keys."""
        return self if viewer == self._viewer else Vault(self._session, viewer, self._keyring)

    def know(self, wrapped: Mapping[str, bytes]) -> None:
        """The keys that this viewer may use, where they were read along with something else."""
        self._wrapped = wrapped

    async def seal(self, place: str, content: Mapping[str, Any]) -> bytes:
        """Encrypt the viewer's own words for one place."""
        return seal(await self.own_key(), self._name(self._viewer.person), place, content)

    async def open(self, owner: str, place: str, sealed: bytes) -> dict[str, Any] | None:
        """What was sealed; nothing when the key is not at hand, so that the rest can go on."""
        return (await self.opener())(owner, place, sealed)

    async def opened(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with what is sealed in them opened, where its key is at hand; `sealed` stays, to be copied. A row
        that names no owner is the viewer's own."""
        if not any(row.sealed for row in rows):
            return list(rows)
        open_now, found = await self.opener(), list[Row]()
        for row in rows:
            owner = getattr(row, "owner", self._viewer.user or "")
            words = open_now(owner, row.id, row.sealed) if row.sealed else None
            found.append(replace(row, **words) if words else row)
        return found

    async def opener(self) -> Callable[[str, str, bytes], dict[str, Any] | None]:
        """Opens as `open` does, without waiting: for a thread that opens much."""
        known = await self._known()

        def open_now(owner: str, place: str, sealed: bytes) -> dict[str, Any] | None:
            key = self._unwrapped(owner, known)
            return None if key is None else unseal(key, self._name(owner), place, sealed)

        return open_now

    async def own_key(self) -> bytes:
        """The viewer's data key, made when it is needed for the first time."""
        owner = self._viewer.person
        if owner not in await self._known():
            wrapped = self._keyring.wrap(new_key(), self._name(owner))
            await people.set_data_key(self._session, self._viewer, wrapped, instead_of=None)
            self._wrapped = None
            self._keys.clear()
        key = self._unwrapped(owner, await self._known())
        if key is None:
            raise KeyMissing(
                "That looks sensitive, and the key that would encrypt it is missing, so I did not keep it. "
                "Put KEEPSAKE_ENCRYPTION_KEY (or the key file) back as it was."
            )
        return key

    async def rewrap(self) -> None:
        """Wrap the viewer's data key by the newest key; what it encrypts stays as it is."""
        owner = self._viewer.person
        wrapped = (await people.data_keys(self._session)).get(owner)
        key = self._keyring.unwrap(wrapped, self._name(owner)) if wrapped else None
        if key is not None:
            again = self._keyring.wrap(key, self._name(owner))
            await people.set_data_key(self._session, self._viewer, again, instead_of=wrapped)

    def _unwrapped(self, owner: str, known: Mapping[str, bytes]) -> bytes | None:
        if owner not in self._keys:
            wrapped = known.get(owner)
            self._keys[owner] = self._keyring.unwrap(wrapped, self._name(owner)) if wrapped else None
        return self._keys[owner]

    async def _known(self) -> Mapping[str, bytes]:
        if self._wrapped is None:
            self._wrapped = await people.data_keys(self._session)
        return self._wrapped

    def _name(self, owner: str) -> str:
        return f"{self._viewer.tenant}\0{owner}"
