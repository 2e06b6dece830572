"""What a bot asks, decoded from JSON, a form or a multipart body, and how it is refused."""

import json
from dataclasses import dataclass
from typing import Any

from tornado.httputil import HTTPServerRequest

# Words of people and names of things: a text of "123" or "true" stays a text. All other values of a form are JSON.
WORDS = frozenset(
    "text caption parse_mode url secret_token callback_query_id file_id language_code name description "
    "short_description title emoji inline_message_id action custom_title".split()
)


@dataclass(frozen=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes
    mime: str = "application/octet-stream"


class Refused(Exception):
    """What Telegram answers instead of a result."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    @property
    def body(self) -> dict[str, Any]:
        told = {"ok": False, "error_code": self.code, "description": self.description}
        return {**told, "parameters": self.parameters} if self.parameters else told


def bad(why: str) -> Refused:
    return Refused(400, f"Bad Request: {why}")


class Params(dict[str, Any]):
    """The parameters of one call, with the few ways a method reads them."""

    def number(self, name: str, otherwise: int = 0) -> int:
        given = self.get(name)
        if given is None or given == "":
            return otherwise
        try:
            return int(given)
        except (TypeError, ValueError):
            raise bad(f'parameter "{name}" must be a number') from None

    def words(self, name: str) -> str:
        return str(self.get(name) or "")

    def table(self, name: str) -> dict[str, Any]:
        given = self.get(name) or {}
        if not isinstance(given, dict):
            raise bad(f"can't parse {name} JSON object")
        return given

    def rows(self, name: str) -> list[Any]:
        given = self.get(name) or []
        if not isinstance(given, list):
            raise bad(f"can't parse {name} JSON object")
        return given


def decoded(name: str, value: str) -> Any:
    if name in WORDS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def params_of(request: HTTPServerRequest) -> Params:
    if request.headers.get("Content-Type", "").startswith("application/json"):
        try:
            body = json.loads(request.body or b"{}")
        except ValueError:
            raise bad("can't parse JSON object") from None
        return Params(body)
    params = Params({name: decoded(name, values[-1].decode()) for name, values in request.arguments.items()})
    uploads = {
        field: Upload(files[-1].filename, files[-1].body, files[-1].content_type)
        for field, files in request.files.items()
    }
    for name, value in list(params.items()):
        if isinstance(value, str) and value.startswith("attach://"):
            params[name] = uploads.pop(value.removeprefix("attach://"), None)
    params.update(uploads)
    return params
