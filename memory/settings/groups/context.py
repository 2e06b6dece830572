"""What one request to the model is made of, and how recall chooses."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel

from memory.settings.values import setting, three_weights


class ContextSettings(BaseModel):
    window_messages: int = setting(
        "KEEPSAKE_WINDOW_MESSAGES",
        "From how many messages without a summary on the oldest leave the prompt.",
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
