"""Envelope encryption (AES-256-GCM): a data key per person, wrapped by the deployment's key.

A sealed value is bound to its owner and its place, the fact or event that holds it. Moved elsewhere it does not open.
"""

import binascii
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

URL_SAFE = str.maketrans("-_", "+/")
KEY_BYTES, NONCE_BYTES, NAME_BYTES = 32, 12, 4


@dataclass(frozen=True, slots=True)
class Keyring:
    """The deployment's keys, newest first. The first one wraps; any of them unwraps."""

    keys: tuple[bytes, ...] = field(repr=False)

    @property
    def newest_name(self) -> bytes:
        return _name(self.keys[0])

    def wrap(self, data_key: bytes, owner: str) -> bytes:
        return self.newest_name + _encrypt(self.keys[0], data_key, owner)

    def unwrap(self, wrapped: bytes, owner: str) -> bytes | None:
        """Return the data key, or None when it was wrapped by a key that is not in the ring."""
        for key in self.keys:
            if wrapped[:NAME_BYTES] == _name(key):
                return _decrypt(key, wrapped[NAME_BYTES:], owner)
        return None


def new_key() -> bytes:
    return AESGCM.generate_key(KEY_BYTES * 8)


def seal(data_key: bytes, owner: str, place: str, content: Mapping[str, Any]) -> bytes:
    return _encrypt(data_key, json.dumps(content, ensure_ascii=False).encode(), f"{owner}\0{place}")


def unseal(data_key: bytes, owner: str, place: str, sealed: bytes) -> dict[str, Any] | None:
    """Return the content, or None when the key, the owner or the place does not match."""
    opened = _decrypt(data_key, sealed, f"{owner}\0{place}")
    content: dict[str, Any] | None = None if opened is None else json.loads(opened)
    return content


def encode_key(key: bytes) -> str:
    return b64encode(key).decode()


def read_keys(text: str) -> tuple[bytes, ...]:
    """Parse base64 keys separated by commas or line breaks. Raises ValueError."""
    keys = tuple(_read_key(part) for part in text.replace(",", "\n").split())
    if not keys:
        raise ValueError("no key")
    return keys


def _read_key(text: str) -> bytes:
    try:
        key = b64decode(text.translate(URL_SAFE), validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    if len(key) != KEY_BYTES:
        raise ValueError(f"not {KEY_BYTES} bytes")
    return key


def _name(key: bytes) -> bytes:
    """A short identifier of the key that reveals nothing about it."""
    return sha256(b"keepsake key name" + key).digest()[:NAME_BYTES]


def _encrypt(key: bytes, plain: bytes, about: str) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, about.encode())


def _decrypt(key: bytes, sealed: bytes, about: str) -> bytes | None:
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about.encode())
    except (InvalidTag, ValueError):
        return None
