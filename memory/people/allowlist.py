"""Checks people against the deployment's optional allowlist."""


def is_allowed(allowlist: str, number: int, name: str | None) -> bool:
    """Whether a person may talk to the bot, by number or name. An empty list allows everybody."""
    allowed = set(filter(None, allowlist.lower().split(",")))
    return not allowed or str(number) in allowed or (bool(name) and f"@{name}".lower() in allowed)
