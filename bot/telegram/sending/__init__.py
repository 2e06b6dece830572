"""How answers go out: parts, buttons, previews, and what Telegram refuses."""
