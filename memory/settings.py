"""All settings: one frozen object, each field with its variable, its meaning and what it wants."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, SecretStr
from pydantic.fields import FieldInfo

from memory.setting_values import (
    POSTGRES_WANTS,
    PostgresAddress,
    WebAddress,
    absolute,
    address_to_listen_on,
    default_data_dir,
    embeddings_server,
    encryption_keys,
    fits_a_header,
    people,
    price_list,
    setting,
    three_weights,
)


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    telegram_bot_token: SecretStr | None = setting(
        "TELEGRAM_BOT_TOKEN", "Token of your Telegram bot, from @BotFather.", wants="a token such as 123456:ABC-DEF"
    )
    telegram_base_url: WebAddress | None = setting(
        "TELEGRAM_BASE_URL",
        "Another Bot API server, e.g. http://127.0.0.1:8081.",
        wants="an address that begins with http:// or https://",
    )
    telegram_webhook_url: WebAddress | None = setting(
        "TELEGRAM_WEBHOOK_URL",
        "Where Telegram reaches us, e.g. https://bot.example.org/telegram. Empty: we ask Telegram (long polling).",
        wants="an address that begins with http:// or https://",
    )
    webhook_listen: Annotated[str, AfterValidator(address_to_listen_on)] = setting(
        "KEEPSAKE_WEBHOOK_LISTEN",
        "With a webhook: host and port to listen on, behind your TLS proxy.",
        wants="an address such as 127.0.0.1:8443",
        default="127.0.0.1:8443",
    )
    allowed_users: Annotated[str, AfterValidator(people)] = setting(
        "KEEPSAKE_ALLOWED_USERS",
        "Who may talk to the bot in Telegram. Empty: everybody.",
        wants="numbers or @names, separated by commas, such as 12345,@ada_l",
        default="",
    )
    group_answers: Literal["addressed", "all"] = setting(
        "KEEPSAKE_GROUP_ANSWERS",
        "In groups: answer when addressed (mentioned, replied to, commanded), or all messages.",
        wants="addressed or all",
        default="addressed",
    )
    idle_hours: float = setting(
        "KEEPSAKE_IDLE_HOURS",
        "After so many silent hours a new conversation starts. 0: never.",
        wants="a number of hours from 0 to 8760",
        default=6.0,
        ge=0,
        le=8760,
    )
    file_bytes: int = setting(
        "KEEPSAKE_FILE_BYTES",
        "Largest text file from Telegram that is read.",
        wants="a whole number from 1000 to 4000000",
        default=1_000_000,
        ge=1000,
        le=4_000_000,
    )
    lease_seconds: float = setting(
        "KEEPSAKE_LEASE_SECONDS",
        "How long a process that died keeps a chat from the others.",
        wants="a number of seconds from 1 to 600",
        default=30.0,
        ge=1,
        le=600,
    )
    chats_at_once: int = setting(
        "KEEPSAKE_CHATS_AT_ONCE",
        "How many chats one process answers at the same time.",
        wants="a whole number from 1 to 10000",
        default=500,
        ge=1,
        le=10_000,
    )
    messages_per_second: int = setting(
        "KEEPSAKE_MESSAGES_PER_SECOND",
        "What Telegram takes from a bot in a second. 0: no limit, for a server of your own.",
        wants="a whole number from 0 to 1000",
        default=30,
        ge=0,
        le=1000,
    )
    database_url: PostgresAddress | None = setting(
        "DATABASE_URL",
        "Your own PostgreSQL, as the application role. Empty: an embedded one in the data folder.",
        wants=POSTGRES_WANTS,
    )
    owner_url: PostgresAddress | None = setting(
        "KEEPSAKE_OWNER_URL", "The role that owns the tables. Only `keepsake migrate` uses it.", wants=POSTGRES_WANTS
    )
    anthropic_api_key: SecretStr | None = setting(
        "ANTHROPIC_API_KEY", "With a key Claude answers. Empty: the offline brain does.", wants="an API key"
    )
    anthropic_base_url: WebAddress | None = setting(
        "ANTHROPIC_BASE_URL",
        "Another server that speaks the Messages API, e.g. http://127.0.0.1:11434.",
        wants="an address that begins with http:// or https://",
    )
    model: str = setting("KEEPSAKE_MODEL", "The model that answers.", wants="a model id", default="claude-sonnet-5-5")
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = setting(
        "KEEPSAKE_EFFORT",
        "How hard the model tries: low, medium, high, xhigh or max. Empty: as it does by itself.",
        wants="low, medium, high, xhigh or max",
    )
    reply_tokens: int = setting(
        "KEEPSAKE_REPLY_TOKENS",
        "Longest reply of the model, in tokens.",
        wants="a whole number from 64 to 20000",
        default=2048,
        ge=64,
        le=20_000,
    )
    model_seconds: float = setting(
        "KEEPSAKE_MODEL_SECONDS",
        "How long one model call may take, retries included.",
        wants="a number of seconds from 1 to 600",
        default=120.0,
        ge=1,
        le=600,
    )
    prices: Annotated[str, AfterValidator(price_list)] = setting(
        "KEEPSAKE_PRICES",
        "Dollars for a million tokens in and out, by how a model's name begins. Only Claude's are known without it.",
        wants="prices such as my-model=0.5/2,other=1/5/1.25/0.1",
        default="",
    )
    embedder: Literal["bundled", "voyage", "openai", "off"] = setting(
        "KEEPSAKE_EMBEDDER",
        "Finds by meaning: bundled (here, no account), voyage, openai (or alike: Ollama, vLLM), off (by words alone).",
        wants="bundled, voyage, openai or off",
        default="bundled",
    )
    embedder_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_KEY", "API key for voyage or openai; a server of your own may need none.", wants="an API key"
    )
    embedder_model: str | None = setting(
        "KEEPSAKE_EMBEDDER_MODEL",
        "Model for voyage or openai. Empty: voyage-3.5 or text-embedding-3-small.",
        wants="a model id of at most 200 characters",
        max_length=200,
    )
    embedder_url: WebAddress | None = setting(
        "KEEPSAKE_EMBEDDER_URL",
        "Server for openai, e.g. http://127.0.0.1:11434/v1. Empty: OpenAI's own.",
        wants="an address that begins with http:// or https://",
    )
    embedder_before: Annotated[str, AfterValidator(embeddings_server)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE",
        "After leaving a server: voyage, openai or its address. Its vectors serve until the new ones are made.",
        wants="voyage, openai or an address that begins with http:// or https://",
    )
    embedder_before_key: Annotated[SecretStr, AfterValidator(fits_a_header)] | None = setting(
        "KEEPSAKE_EMBEDDER_BEFORE_KEY", "API key for the server in KEEPSAKE_EMBEDDER_BEFORE.", wants="an API key"
    )
    data_dir: Annotated[Path, AfterValidator(absolute)] = setting(
        "KEEPSAKE_DATA_DIR",
        "Folder of the embedded database. Empty: ~/.keepsake, for root /var/lib/keepsake.",
        wants="the path of a folder",
        default=default_data_dir,
    )
    encryption_key: Annotated[SecretStr, AfterValidator(encryption_keys)] | None = setting(
        "KEEPSAKE_ENCRYPTION_KEY",
        "Encrypts what is sensitive: `openssl rand -base64 32`. To change it set new,old. Empty: a key file is made.",
        wants="one or more keys of 32 bytes in base64, separated by commas",
    )
    undo_hours: float = setting(
        "KEEPSAKE_UNDO_HOURS",
        "How long a deleted fact can be brought back; after that it is gone for good.",
        wants="a number of hours from 0 to 720",
        default=24.0,
        ge=0,
        le=720,
    )
    card_days: float = setting(
        "KEEPSAKE_CARD_DAYS",
        "How long a question whether to remember something, or an invitation, waits for its answer.",
        wants="a number of days from 0.01 to 365",
        default=7.0,
        ge=0.01,
        le=365,
    )
    artifact_days: float = setting(
        "KEEPSAKE_ARTIFACT_DAYS",
        "How long outputs of tools and files are kept that no decision cites; documents stay.",
        wants="a number of days from 1 to 36500",
        default=90.0,
        ge=1,
        le=36_500,
    )
    tenant: str = setting(
        "KEEPSAKE_TENANT",
        "Name of this deployment; every row carries it.",
        wants="a name of 1 to 64 letters, digits, - or _",
        default="home",
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
    )
    window_messages: int = setting(
        "KEEPSAKE_WINDOW_MESSAGES",
        "How many of the last messages the model sees.",
        wants="a whole number from 2 to 200",
        default=30,
        ge=2,
        le=200,
    )
    window_step: int = setting(
        "KEEPSAKE_WINDOW_STEP",
        "How many of the oldest messages leave at once, so that the beginning of the prompt stays the same meanwhile.",
        wants="a whole number from 1 to 200",
        default=20,
        ge=1,
        le=200,
    )
    context_tokens: int = setting(
        "KEEPSAKE_CONTEXT_TOKENS",
        "Most tokens of one request to the model.",
        wants="a whole number from 16000 to 1000000",
        default=65_000,
        ge=16_000,
        le=1_000_000,
    )
    evidence_tokens: int = setting(
        "KEEPSAKE_EVIDENCE_TOKENS",
        "Most tokens of what is recalled for one message.",
        wants="a whole number from 0 to 18000",
        default=800,
        ge=0,
        le=18_000,
    )
    token_margin: float = setting(
        "KEEPSAKE_TOKEN_MARGIN",
        "Factor on the token estimate, for a model that counts more; `keepsake doctor` says when it is needed.",
        wants="a number from 1 to 3",
        default=1.0,
        ge=1,
        le=3,
    )
    recall_ms: int = setting(
        "KEEPSAKE_RECALL_MS",
        "How long recall may take; a reply does not wait longer for it.",
        wants="a whole number of milliseconds from 10 to 10000",
        default=150,
        ge=10,
        le=10_000,
    )
    recall_weights: Annotated[str, AfterValidator(three_weights)] = setting(
        "KEEPSAKE_RECALL_WEIGHTS",
        "What counts in recall: relevance, recency, importance.",
        wants="three numbers from 0 to 1 such as 0.6,0.3,0.1",
        default="0.6,0.3,0.1",
    )
    message_bytes: int = setting(
        "KEEPSAKE_MESSAGE_BYTES",
        "Longest message that is accepted, in bytes.",
        wants="a whole number from 1000 to 50000000",
        default=4_000_000,
        ge=1000,
        le=50_000_000,
    )
    pool_size: int = setting(
        "KEEPSAKE_POOL_SIZE",
        "Connections to PostgreSQL per process.",
        wants="a whole number from 1 to 100",
        default=10,
        ge=1,
        le=100,
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)] = setting(
        "KEEPSAKE_LOG_LEVEL",
        "How much is logged. Never the text of a message.",
        wants="debug, info, warning or error",
        default="warning",
    )


def variables() -> dict[str, FieldInfo]:
    """Every variable with its field, in the order of this file."""
    return {field.alias: field for field in Settings.model_fields.values() if field.alias}
