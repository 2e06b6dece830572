"""The client of Claude's Messages API, shared by the brain and the structured answers."""

from typing import TYPE_CHECKING

from memory.settings import Settings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MODEL = "claude-sonnet-5-5"
EXTRACTION_MODEL = "claude-haiku-5-5"


class ClaudeClient:
    """A model on a server, and the server's known limits."""

    def __init__(self, sdk: "AsyncAnthropic", *, model: str, seconds: float) -> None:
        self.sdk = sdk
        self.model = model
        self.seconds = seconds
        """The time limit of a call, including all attempts."""
        self.omits_extras = False
        """True if the server rejects the fields that only Claude's own server accepts."""

    async def close(self) -> None:
        await self.sdk.close()


def client_from(settings: Settings, model: str) -> ClaudeClient:
    """Create a client. The import of the SDK takes seconds, so a start without a key skips it. The SDK's own retries
    are off: they obey any Retry-After and cannot restart a broken stream."""
    from anthropic import AsyncAnthropic

    assert settings.anthropic_api_key is not None
    sdk = AsyncAnthropic(
        api_key=settings.anthropic_api_key.get_secret_value(), base_url=settings.anthropic_base_url, max_retries=0
    )
    return ClaudeClient(sdk, model=model, seconds=settings.model_seconds)
