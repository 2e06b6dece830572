"""Where the keys of this deployment come from: the setting, or a file beside the data, made at the first start."""

import os
import secrets
from pathlib import Path

from memory.errors import SettingsError
from memory.privacy.encryption import Keyring, new_key, read_keys, spelled
from memory.settings import Settings

FILE = "encryption.key"


def load_keyring(settings: Settings) -> Keyring:
    if settings.encryption_key is not None:
        return Keyring(read_keys(settings.encryption_key.get_secret_value()))
    path = settings.data_dir / FILE
    try:
        if not path.exists():
            _make(path)
        path.chmod(0o600)
        return Keyring(read_keys(path.read_text()))
    except OSError as error:
        raise SettingsError(
            f"The key file {path} cannot be used: {error.strerror}. Set KEEPSAKE_ENCRYPTION_KEY, or mend it."
        ) from error
    except ValueError as error:
        raise SettingsError(
            f"The key file {path} holds no key. Put back the one from your backup: without it, what is encrypted "
            f"cannot be read. Only if there is none, remove the file and a new one is made."
        ) from error


def _make(path: Path) -> None:
    """Written aside and linked into place, so that of two programs that start at once both use the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{FILE}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(spelled(new_key()) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(aside, path)
    except FileExistsError:
        pass
    finally:
        aside.unlink()
