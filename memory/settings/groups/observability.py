"""Settings for logs and metrics."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator

from memory.settings.values import address_to_listen_on, setting


class ObservabilitySettings(BaseModel):
    metrics_listen: Annotated[str, AfterValidator(address_to_listen_on)] | None = setting(
        "KEEPSAKE_METRICS_LISTEN",
        "Host and port for Prometheus metrics, e.g. 127.0.0.1:9464. Empty: no metrics.",
        wants="an address such as 127.0.0.1:9464",
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)] = setting(
        "KEEPSAKE_LOG_LEVEL",
        "How much to log: debug, info, warning or error. The text of messages is never logged.",
        wants="debug, info, warning or error",
        default="warning",
    )
    log_format: Literal["text", "json"] = setting(
        "KEEPSAKE_LOG_FORMAT",
        "Log format: text, or json (one object per line).",
        wants="text or json",
        default="text",
    )
