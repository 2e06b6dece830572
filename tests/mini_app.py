"""What Telegram hands to a Mini App, made as Telegram's own documentation describes it."""

import hashlib
import hmac
import json
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

TOKEN = "123456:a-token-of-a-bot-for-tests"


def signed(fields: dict[str, str], token: str = TOKEN) -> str:
    """All fields with the hash that belongs to them."""
    secret = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    check = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return urlencode({**fields, "hash": hmac.new(secret, check.encode(), hashlib.sha256).hexdigest()})


def init_data(user: Any, at: datetime, token: str = TOKEN, **more: str) -> str:
    told = {"query_id": "AAHdF6IQAAAAAN0XohDhrOrc", "user": json.dumps(user), "auth_date": str(int(at.timestamp()))}
    return signed({**told, **more}, token)
