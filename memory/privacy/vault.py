"""Seals and opens sensitive content within one unit of work, with the data keys of its owners."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.people import people
from db.viewer import Viewer
from memory.errors import KeyMissing
from memory.privacy.encryption import Keyring, new_key, seal, unseal
from memory.refusals import Refusal


class Sealable(Protocol):
    """A dataclass row whose words may be sealed."""

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
        """A vault for another viewer, who may use other keys."""
        return self if viewer == self._viewer else Vault(self._session, viewer, self._keyring)

    def preload_keys(self, wrapped: Mapping[str, bytes]) -> None:
        """Use these wrapped keys of the viewer instead of reading them from the database."""
        self._wrapped = wrapped

    async def seal(self, place: str, content: Mapping[str, Any]) -> bytes:
        """Encrypt the viewer's own words for one place."""
        return seal(await self.own_key(), self._name(self._viewer.person), place, content)

    async def open(self, owner: str, place: str, sealed: bytes) -> dict[str, Any] | None:
        """Return the sealed content, or None when its key is not available."""
        return (await self.opener())(owner, place, sealed)

    async def open_rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows with their sealed words opened where the key is available.

        `sealed` stays set, so that it can be copied. A row without an owner is the viewer's own.
        """
        if not any(row.sealed for row in rows):
            return list(rows)
        open_sealed, opened = await self.opener(), list[Row]()
        for row in rows:
            owner = getattr(row, "owner", self._viewer.user or "")
            words = open_sealed(owner, row.id, row.sealed) if row.sealed else None
            opened.append(replace(row, **words) if words else row)
        return opened

    async def opener(self) -> Callable[[str, str, bytes], dict[str, Any] | None]:
        """Return a synchronous `open`, for a thread that opens many values."""
        wrapped = await self._wrapped_keys()

        def open_sealed(owner: str, place: str, sealed: bytes) -> dict[str, Any] | None:
            key = self._unwrap(owner, wrapped)
            return None if key is None else unseal(key, self._name(owner), place, sealed)

        return open_sealed

    async def own_key(self) -> bytes:
        """Return the viewer's data key, creating it on first use."""
        owner = self._viewer.person
        if owner not in await self._wrapped_keys():
            wrapped = self._keyring.wrap(new_key(), self._name(owner))
            await people.set_data_key(self._session, self._viewer, wrapped, instead_of=None)
            self._wrapped = None
            self._keys.clear()
        key = self._unwrap(owner, await self._wrapped_keys())
        if key is None:
            raise KeyMissing(Refusal.KEY_MISSING)
        return key

    async def rewrap(self) -> None:
        """Rewrap the viewer's data key with the newest deployment key. Sealed content does not change."""
        owner = self._viewer.person
        wrapped = (await people.data_keys(self._session)).get(owner)
        key = self._keyring.unwrap(wrapped, self._name(owner)) if wrapped else None
        if key is not None:
            rewrapped = self._keyring.wrap(key, self._name(owner))
            await people.set_data_key(self._session, self._viewer, rewrapped, instead_of=wrapped)

    def _unwrap(self, owner: str, wrapped_keys: Mapping[str, bytes]) -> bytes | None:
        if owner not in self._keys:
            wrapped = wrapped_keys.get(owner)
            self._keys[owner] = self._keyring.unwrap(wrapped, self._name(owner)) if wrapped else None
        return self._keys[owner]

    async def _wrapped_keys(self) -> Mapping[str, bytes]:
        if self._wrapped is None:
            self._wrapped = await people.data_keys(self._session)
        return self._wrapped

    def _name(self, owner: str) -> str:
        return f"{self._viewer.tenant}\0{owner}"
