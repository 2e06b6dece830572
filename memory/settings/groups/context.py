"""What one request to the model is made of, and how recall chooses."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel

from memory.settings.values import setting, three_weights


class ContextSettings(BaseModel):
    window_messages: int = setting(
        "KEEPSAKE_WINDOW_MESSAGES",
        "How many unsummarised messages the prompt holds before the oldest leave it.",
        wants="a whole number from 2 to 200",
        default=30,
        ge=2,
        le=200,
    )
    window_step: int = setting(
        "KEEPSAKE_WINDOW_STEP",
        "How many of the oldest messages leave the prompt at a time. In between, its beginning stays "
        "the same for the cache.",
        wants="a whole number from 1 to 200",
        default=20,
        ge=1,
        le=200,
    )
    context_tokens: int = setting(
        "KEEPSAKE_CONTEXT_TOKENS",
        "Most tokens in one request to the model.",
        wants="a whole number from 16000 to 1000000",
        default=65_000,
        ge=16_000,
        le=1_000_000,
    )
    evidence_tokens: int = setting(
        "KEEPSAKE_EVIDENCE_TOKENS",
        "Most tokens of recalled text for one message.",
        wants="a whole number from 0 to 18000",
        default=800,
        ge=0,
        le=18_000,
    )
    token_margin: float = setting(
        "KEEPSAKE_TOKEN_MARGIN",
        "Factor on the token estimate, for a model that counts more tokens. `keepsake doctor` tells you "
        "when you need it.",
        wants="a number from 1 to 3",
        default=1.0,
        ge=1,
        le=3,
    )
    recall_ms: int = setting(
        "KEEPSAKE_RECALL_MS",
        "How long recall may take, in milliseconds. A reply never waits longer for it.",
        wants="a whole number of milliseconds from 10 to 10000",
        default=150,
        ge=10,
        le=10_000,
    )
    recall_weights: Annotated[str, AfterValidator(three_weights)] = setting(
        "KEEPSAKE_RECALL_WEIGHTS",
        "Weights of relevance, recency and importance in recall.",
        wants="three numbers from 0 to 1 such as 0.6,0.3,0.1",
        default="0.6,0.3,0.1",
    )
    message_bytes: int = setting(
        "KEEPSAKE_MESSAGE_BYTES",
        "Longest message to accept, in bytes.",
        wants="a whole number from 1000 to 50000000",
        default=4_000_000,
        ge=1000,
        le=50_000_000,
    )
