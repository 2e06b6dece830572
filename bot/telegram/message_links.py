"""Links to messages in Telegram."""

SUPERGROUP = "-100"


def link_to(place: str, message_id: int) -> str:
    """Return the message's link, or "" outside supergroups, where messages have none."""
    front_end, chat, *topic = place.split(":")
    if front_end != "telegram" or not chat.startswith(SUPERGROUP):
        return ""
    path = "/".join([chat.removeprefix(SUPERGROUP), *topic, str(message_id)])
    return f"https://t.me/c/{path}"
