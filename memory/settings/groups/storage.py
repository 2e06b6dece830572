"""Where everything is kept, under which key, and for how long."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.settings.values import POSTGRES_WANTS, PostgresAddress, absolute, default_data_dir, encryption_keys, setting


class StorageSettings(BaseModel):
    database_url: PostgresAddress | None = setting(
        "DATABASE_URL",
        "Your own PostgreSQL, as the application role. Empty: an embedded one in the data folder.",
        wants=POSTGRES_WANTS,
    )
    owner_url: PostgresAddress | None = setting(
        "KEEPSAKE_OWNER_URL",
        "The same database as the role that owns the tables. Only `keepsake migrate` uses it.",
        wants=POSTGRES_WANTS,
    )
    pool_size: int = setting(
        "KEEPSAKE_POOL_SIZE",
        "PostgreSQL connections per process.",
        wants="a whole number from 1 to 100",
        default=10,
        ge=1,
        le=100,
    )
    data_dir: Annotated[Path, AfterValidator(absolute)] = setting(
        "KEEPSAKE_DATA_DIR",
        "Folder for the embedded database, the key file and the spool. Empty: ~/.keepsake, or "
        "/var/lib/keepsake for root.",
        wants="the path of a folder",
        default=default_data_dir,
    )
    encryption_key: Annotated[SecretStr, AfterValidator(encryption_keys)] | None = setting(
        "KEEPSAKE_ENCRYPTION_KEY",
        "Encrypts sensitive data. Make one: `openssl rand -base64 32`. To rotate, set new,old. Empty: a "
        "key file is created.",
        wants="one or more keys of 32 bytes in base64, separated by commas",
    )
    undo_hours: float = setting(
        "KEEPSAKE_UNDO_HOURS",
        "How long a deleted memory can be brought back. After that it is gone for good.",
        wants="a number of hours from 0 to 720",
        default=24.0,
        ge=0,
        le=720,
    )
    card_days: float = setting(
        "KEEPSAKE_CARD_DAYS",
        "How long a question (“Should I remember this?”) or an invitation stays open.",
        wants="a number of days from 0.01 to 365",
        default=7.0,
        ge=0.01,
        le=365,
    )
    artifact_days: float = setting(
        "KEEPSAKE_ARTIFACT_DAYS",
        "How long to keep tool outputs and files that no decision cites. Documents are kept.",
        wants="a number of days from 1 to 36500",
        default=90.0,
        ge=1,
        le=36_500,
    )
    bundle_days: float = setting(
        "KEEPSAKE_BUNDLE_DAYS",
        "How long to keep what each reply was made from, for `/why` and `keepsake replay`. 0: forever.",
        wants="a number of days from 0 to 36500",
        default=90.0,
        ge=0,
        le=36_500,
    )
    tenant: str = setting(
        "KEEPSAKE_TENANT",
        "Name of this deployment; it is stored in every row.",
        wants="a name of 1 to 64 letters, digits, - or _",
        default="home",
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
    )
