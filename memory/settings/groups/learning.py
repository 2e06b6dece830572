"""What is made of a conversation afterwards: summaries, facts, reminders."""

from typing import Literal

from pydantic import BaseModel

from memory.settings.values import setting


class LearningSettings(BaseModel):
    summaries: Literal["steps", "sliding", "off"] = setting(
        "KEEPSAKE_SUMMARIES",
        "When to summarise: steps (the oldest KEEPSAKE_WINDOW_STEP messages, once more than "
        "KEEPSAKE_WINDOW_MESSAGES are unsummarised), sliding (after every exchange) or off.",
        wants="steps, sliding or off",
        default="steps",
    )
    summary_messages: int = setting(
        "KEEPSAKE_SUMMARY_MESSAGES",
        "How many messages back the summary of a conversation reaches. Older ones are found by search.",
        wants="a whole number from 2 to 1000",
        default=100,
        ge=2,
        le=1000,
    )
    summary_after: int = setting(
        "KEEPSAKE_SUMMARY_AFTER",
        "With sliding: start summarising at this message, counted from 0.",
        wants="a whole number from 0 to 200",
        default=5,
        ge=0,
        le=200,
    )
    extraction: Literal["on", "off"] = setting(
        "KEEPSAKE_EXTRACTION",
        "on: also look for facts in what people said, besides what the assistant proposes itself. off: don't.",
        wants="on or off",
        default="on",
    )
    extract_exchanges: int = setting(
        "KEEPSAKE_EXTRACT_EXCHANGES",
        "How many exchanges to look through for facts at a time.",
        wants="a whole number from 1 to 50",
        default=5,
        ge=1,
        le=50,
    )
    extract_quiet: float = setting(
        "KEEPSAKE_EXTRACT_QUIET",
        "After this many seconds of silence, look through fewer exchanges than that, too.",
        wants="a number of seconds from 1 to 86400",
        default=60.0,
        ge=1,
        le=86_400,
    )
    reminder_hour: int = setting(
        "KEEPSAKE_REMINDER_HOUR",
        "Hour of day, in the person's time zone, for reminders of important dates.",
        wants="a whole number from 0 to 23",
        default=8,
        ge=0,
        le=23,
    )
