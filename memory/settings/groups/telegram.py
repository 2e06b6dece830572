"""The bot in Telegram: who may talk to it, how it is reached, how much it takes at once."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.settings.values import WebAddress, address_to_listen_on, people, setting


class TelegramSettings(BaseModel):
    telegram_bot_token: SecretStr | None = setting(
        "TELEGRAM_BOT_TOKEN", "Token of your Telegram bot, from @BotFather.", wants="a token such as 123456:ABC-DEF"
    )
    telegram_base_url: WebAddress | None = setting(
        "TELEGRAM_BASE_URL",
        "Your own Bot API server, e.g. http://127.0.0.1:8081. Empty: Telegram's.",
        wants="an address that begins with http:// or https://",
    )
    telegram_webhook_url: WebAddress | None = setting(
        "TELEGRAM_WEBHOOK_URL",
        "Address where Telegram reaches the bot, e.g. https://bot.example.org/telegram. Empty: long polling.",
        wants="an address that begins with http:// or https://",
    )
    webhook_listen: Annotated[str, AfterValidator(address_to_listen_on)] = setting(
        "KEEPSAKE_WEBHOOK_LISTEN",
        "Host and port to listen on for the webhook, behind your TLS proxy.",
        wants="an address such as 127.0.0.1:8443",
        default="127.0.0.1:8443",
    )
    allowed_users: Annotated[str, AfterValidator(people)] = setting(
        "KEEPSAKE_ALLOWED_USERS",
        "Who may talk to the bot in Telegram. Empty: everyone.",
        wants="numbers or @names, separated by commas, such as 12345,@ada_l",
        default="",
    )
    group_answers: Literal["addressed", "all"] = setting(
        "KEEPSAKE_GROUP_ANSWERS",
        "Which group messages to answer: addressed (mentions, replies and commands) or all.",
        wants="addressed or all",
        default="addressed",
    )
    idle_hours: float = setting(
        "KEEPSAKE_IDLE_HOURS",
        "Start a new conversation after this many hours of silence. 0: never.",
        wants="a number of hours from 0 to 8760",
        default=6.0,
        ge=0,
        le=8760,
    )
    file_bytes: int = setting(
        "KEEPSAKE_FILE_BYTES",
        "Largest text file to read from Telegram, in bytes.",
        wants="a whole number from 1000 to 4000000",
        default=1_000_000,
        ge=1000,
        le=4_000_000,
    )
    lease_seconds: float = setting(
        "KEEPSAKE_LEASE_SECONDS",
        "How long a chat stays reserved for a process that died.",
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
        "Messages per second that Telegram accepts from a bot. 0: no limit, for your own Bot API server.",
        wants="a whole number from 0 to 1000",
        default=30,
        ge=0,
        le=1000,
    )
