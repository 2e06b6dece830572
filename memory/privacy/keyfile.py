"""Loads the deployment's keys from the setting, or from a file in the data directory that the first start creates."""

import os
import secrets
from pathlib import Path

from memory.errors import SettingsError
from memory.privacy.encryption import Keyring, encode_key, new_key, read_keys
from memory.refusals import Refusal
from memory.settings import Settings

FILE = "encryption.key"


def load_keyring(settings: Settings) -> Keyring:
    if settings.encryption_key is not None:
        return Keyring(read_keys(settings.encryption_key.get_secret_value()))
    path = settings.data_dir / FILE
    try:
        if not path.exists():
            _create(path)
        path.chmod(0o600)
        return Keyring(read_keys(path.read_text()))
    except OSError as error:
        raise SettingsError(Refusal.KEY_FILE_UNUSABLE, path=path, why=error.strerror) from error
    except ValueError as error:
        raise SettingsError(Refusal.KEY_FILE_EMPTY, path=path) from error


def _create(path: Path) -> None:
    """Write a temporary file and link it into place, so that two programs starting at once use the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{FILE}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(encode_key(new_key()) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
