"""Files recorded as events of the kind `artifact`: the bytes become an artifact, the event holds an excerpt."""

from base64 import b64decode
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory import ArtifactKind
from memory.cleaning import clean
from memory.errors import Refused
from memory.events.record import EventDraft, PreparedEvent, prepare
from memory.events.tool_results import MAX_BYTES, cut_at_line
from memory.ledgers.artifacts import prepare_artifact
from memory.privacy.redaction import redact
from memory.refusals import Refusal

BYTES, TEXT = "base64", "text"
LONGEST_FIELD = 500


def is_file(content: dict[str, Any]) -> bool:
    """Whether the content holds bytes, or more text than fits an event."""
    text = content.get(TEXT)
    return BYTES in content or (isinstance(text, str) and len(text) > MAX_BYTES)


def prepare_file(draft: EventDraft, now: datetime) -> PreparedEvent:
    """Prepare the artifact and its event. Secrets are redacted before the excerpt is cut, because half a secret would
    not be recognised. Binary files that contain a secret are refused."""
    fields = {name: value for name, value in draft.content.items() if name not in {BYTES, TEXT}}
    data, kinds = _bytes(draft.content), tuple[str, ...]()
    excerpt: dict[str, Any] = {}
    try:
        read = redact(clean(data.decode()))
    except UnicodeDecodeError:
        pass
    else:
        data, kinds = read.text.encode(), read.kinds
        shown = cut_at_line(read.text, MAX_BYTES)
        excerpt = {"excerpt_text": shown, "truncated": len(shown) < len(read.text)}
    whole = prepare_artifact(data, kind=ArtifactKind.BLOB, meta=_small_fields(fields))
    prepared = prepare(replace(draft, content={**fields, **excerpt, "size": len(whole.data)}), now)
    return replace(prepared, left_out=tuple(dict.fromkeys([*kinds, *prepared.left_out])), full_output=whole)


def _bytes(content: dict[str, Any]) -> bytes:
    if BYTES not in content:
        return str(content[TEXT]).encode(errors="replace")
    try:
        return b64decode(content[BYTES], validate=True)
    except (ValueError, TypeError):
        raise Refused(Refusal.BASE64_WRONG, field="base64") from None


def _small_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that fit into the artifact's metadata. The event holds all of them."""
    short = {name: value for name, value in fields.items() if len(str(value)) < LONGEST_FIELD}
    return {name: value for name, value in short.items() if isinstance(value, str | int | float)}
