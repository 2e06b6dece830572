"""Who is expected here, by the list that this deployment may have."""


def is_expected(listed: str, number: int, name: str | None) -> bool:
    """Whether somebody may talk to the bot, by their number or their name; an empty list lets everybody in."""
    allowed = set(filter(None, listed.lower().split(",")))
    return not allowed or str(number) in allowed or (bool(name) and f"@{name}".lower() in allowed)
