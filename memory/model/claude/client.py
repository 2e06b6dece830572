"""The client of Claude's Messages API that the brain and the structured answers are made with."""

from typing import TYPE_CHECKING

from memory.settings import Settings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MODEL = "claude-sonnet-5-5"
EXTRACTION_MODEL = "claude-haiku-5-5"


class ClaudeClient:
    """One model at one server, and what has been learned about that server."""

    def __init__(self, sdk: "AsyncAnthropic", *, model: str, seconds: float) -> None:
        self.sdk = sdk
        self.model = model
        self.seconds = seconds
        """How long one call may take, with all its tries."""
        self.is_plain = False
        """Whether the server refused what only Claude's own server knows."""

    async def close(self) -> None:
        await self.sdk.close()


def client_from(settings: Settings, model: str) -> ClaudeClient:
    """The SDK is imported only where it is used: it costs seconds that a start without a key need not pay. It does not
    ask again by itself, since it would obey any Retry-After and cannot ask again for a stream that broke."""
    from anthropic import AsyncAnthropic

    assert settings.anthropic_api_key is not None
    sdk = AsyncAnthropic(
        api_key=settings.anthropic_api_key.get_secret_value(), base_url=settings.anthropic_base_url, max_retries=0
    )
    return ClaudeClient(sdk, model=model, seconds=settings.model_seconds)
