"""The models that answer and that look through what was said, and what they cost."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, SecretStr

from memory.settings.values import WebAddress, price_list, setting


class ModelSettings(BaseModel):
    anthropic_api_key: SecretStr | None = setting(
        "ANTHROPIC_API_KEY", "With a key, Claude answers. Empty: the offline brain answers.", wants="an API key"
    )
    anthropic_base_url: WebAddress | None = setting(
        "ANTHROPIC_BASE_URL",
        "Another server that speaks the Messages API, e.g. http://127.0.0.1:11434.",
        wants="an address that begins with http:// or https://",
    )
    model: str | None = setting(
        "KEEPSAKE_MODEL",
        "Model that answers. Empty: the vendor's default, claude-sonnet-5-5.",
        wants="a model id",
        min_length=1,
    )
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = setting(
        "KEEPSAKE_EFFORT",
        "How hard the model tries: low, medium, high, xhigh or max. Empty: the model's default.",
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
        "How long a model call may take, including retries.",
        wants="a number of seconds from 1 to 600",
        default=120.0,
        ge=1,
        le=600,
    )
    extraction_model: str | None = setting(
        "KEEPSAKE_EXTRACTION_MODEL",
        "Model that summarises conversations and finds facts in them. Empty: the vendor's default, claude-haiku-5-5.",
        wants="a model id",
        min_length=1,
    )
    prices: Annotated[str, AfterValidator(price_list)] = setting(
        "KEEPSAKE_PRICES",
        "Dollars per million tokens in and out, by the start of a model's name. Claude's prices are built in.",
        wants="prices such as my-model=0.5/2,other=1/5/1.25/0.1",
        default="",
    )
