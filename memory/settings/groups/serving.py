"""The daemon: where it listens, how it is reached from outside, and how much one key may ask of it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel

from memory.settings.values import WebAddress, host_to_listen_on, setting

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (who listens everywhere is found at home)


class ServingSettings(BaseModel):
    host: Annotated[str, AfterValidator(host_to_listen_on)] = setting(
        "KEEPSAKE_HOST",
        "Host for `keepsake serve` to listen on. 0.0.0.0: all addresses, behind your TLS proxy.",
        wants="a host such as 127.0.0.1",
        default="127.0.0.1",
    )
    port: int = setting(
        "KEEPSAKE_PORT",
        "Port for `keepsake serve` to listen on.",
        wants="a port from 1 to 65535",
        default=8080,
        ge=1,
        le=65_535,
    )
    serve: Literal["0", "1"] = setting(
        "KEEPSAKE_SERVE",
        "1: `keepsake bot` also serves the API and the review page.",
        wants="0 or 1",
        default="0",
    )
    web_url: WebAddress | None = setting(
        "KEEPSAKE_WEB_URL",
        "Address where people open the review page, e.g. https://keepsake.example.org. Empty: host and port above.",
        wants="an address that begins with http:// or https://",
    )
    calls_per_minute: int = setting(
        "KEEPSAKE_CALLS_PER_MINUTE",
        "Calls per minute for one API key, with bursts of up to a sixth of that. 0: no limit.",
        wants="a whole number from 0 to 1000000",
        default=600,
        ge=0,
        le=1_000_000,
    )
    request_bytes: int = setting(
        "KEEPSAKE_REQUEST_BYTES",
        "Largest request body for the API, in bytes.",
        wants="a whole number from 10000 to 100000000",
        default=5_000_000,
        ge=10_000,
        le=100_000_000,
    )

    @property
    def home_url(self) -> str:
        """Where the daemon is reached on its own machine."""
        host = EVERYWHERE.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def page_url(self) -> str:
        """Where people reach it: where somebody says, or on its own machine."""
        return self.web_url or self.home_url
