"""What is made of a conversation afterwards: summaries, facts, reminders."""

from typing import Literal

from pydantic import BaseModel

from memory.settings.values import setting


class LearningSettings(BaseModel):
    summaries: Literal["steps", "sliding", "off"] = setting(
        "KEEPSAKE_SUMMARIES",
        "How conversations are summarised: steps (the oldest KEEPSAKE_WINDOW_STEP messages once more than "
        "KEEPSAKE_WINDOW_MESSAGES are not summarised), sliding (after every exchange), off.",
        wants="steps, sliding or off",
        default="steps",
    )
    summary_messages: int = setting(
        "KEEPSAKE_SUMMARY_MESSAGES",
        "How many messages back the digest of a conversation reaches; what is older is found by search.",
        wants="a whole number from 2 to 1000",
        default=100,
        ge=2,
        le=1000,
    )
    summary_after: int = setting(
        "KEEPSAKE_SUMMARY_AFTER",
        "With sliding: the message, counted from 0, from which on summaries are made.",
        wants="a whole number from 0 to 200",
        default=5,
        ge=0,
        le=200,
    )
    extraction: Literal["on", "off"] = setting(
        "KEEPSAKE_EXTRACTION",
        "Whether facts are looked for in what was said, besides what the assistant proposes itself: on or off.",
        wants="on or off",
        default="on",
    )
    extract_exchanges: int = setting(
        "KEEPSAKE_EXTRACT_EXCHANGES",
        "How many exchanges that may tell something are looked through together.",
        wants="a whole number from 1 to 50",
        default=5,
        ge=1,
        le=50,
    )
    extract_quiet: float = setting(
        "KEEPSAKE_EXTRACT_QUIET",
        "After so many silent seconds they are looked through even if they are fewer.",
        wants="a number of seconds from 1 to 86400",
        default=60.0,
        ge=1,
        le=86_400,
    )
    reminder_hour: int = setting(
        "KEEPSAKE_REMINDER_HOUR",
        "At which hour, in the person's own time zone, reminders of important dates come.",
        wants="a whole number from 0 to 23",
        default=8,
        ge=0,
        le=23,
    )
