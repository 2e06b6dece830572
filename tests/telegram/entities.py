"""What Telegram marks in a text by itself, and which marks of a bot it accepts; all places count UTF-16 units."""

import re
from typing import Any

from tests.telegram.request import bad

Entity = dict[str, Any]

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
MAX_ENTITIES = 100

FOUND = re.compile(
    r"(?P<url>https?://[^\s<>\"]+[^\s<>\".,;:!?)])"
    r"|(?P<email>\b[\w.+-]+@[\w-]+\.[\w.]*\w)"
    r"|(?<![\w/@])(?P<mention>@[A-Za-z]\w{3,31})\b"
    r"|(?<![\w/])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z]\w{3,31})?)(?![\w/@])"
    r"|(?<!\w)(?P<hashtag>\#(?=\w*[^\W\d_])\w{1,256})",
)
KINDS = frozenset(
    "mention hashtag cashtag bot_command url email phone_number bold italic underline strikethrough spoiler "
    "blockquote expandable_blockquote code pre text_link text_mention custom_emoji date_time".split()
)
VERBATIM = ("code", "pre")


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """The part of a text that an entity covers."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le", "surrogatepass")


def found(text: str) -> list[Entity]:
    """Commands, mentions, hashtags and addresses, as Telegram finds them in anybody's text."""
    return [
        {"type": str(hit.lastgroup), "offset": units(text[: hit.start()]), "length": units(hit[0])}
        for hit in FOUND.finditer(text)
    ]


def with_found(text: str, given: list[Entity]) -> list[Entity]:
    """The given marks, and what Telegram finds outside of them."""
    taken = [(one["offset"], one["offset"] + one["length"]) for one in given if one["type"] in (*VERBATIM, "text_link")]
    free = (
        one
        for one in found(text)
        if not any(one["offset"] < end and start < one["offset"] + one["length"] for start, end in taken)
    )
    return sorted([*given, *free], key=lambda one: (one["offset"], -one["length"]))


def checked(text: str, entities: list[Entity]) -> list[Entity]:
    """The marks as Telegram keeps them, or the reason why it does not."""
    borders = None if text.isascii() else inner_borders(text)
    size = units(text)
    kept: list[Entity] = []
    ends: list[tuple[int, str]] = []
    ordered = sorted((read(one) for one in entities), key=lambda one: (one["offset"], -one["length"]))
    for one in ordered:
        start, end = one["offset"], one["offset"] + one["length"]
        if start < 0 or one["length"] < 0 or end > size:
            raise unparsed(
                f"entity beginning at UTF-16 offset {start} ends after the end of the text at UTF-16 offset {end}"
            )
        if borders is not None and (start in borders or end in borders):
            raise unparsed(f"entity beginning at UTF-16 offset {start} splits a UTF-16 symbol")
        while ends and ends[-1][0] <= start:
            ends.pop()
        if ends and end > ends[-1][0]:
            raise unparsed(f"entity beginning at UTF-16 offset {start} overlaps another and is not inside it")
        if one["length"] == 0 or any(kind in VERBATIM for _, kind in ends):
            continue
        ends.append((end, one["type"]))
        kept.append(one)
    return kept[:MAX_ENTITIES]


def read(one: object) -> Entity:
    if not isinstance(one, dict) or one.get("type") not in KINDS:
        raise bad("can't parse MessageEntity: unsupported type specified")
    if not isinstance(one.get("offset"), int) or not isinstance(one.get("length"), int):
        raise bad("can't parse MessageEntity: offset and length must be numbers")
    if one["type"] == "text_link" and not one.get("url"):
        raise bad("can't parse MessageEntity: a text_link needs its url")
    return {name: value for name, value in one.items() if value is not None}


def inner_borders(text: str) -> set[int]:
    """Offsets in the middle of a symbol that takes two units."""
    inner, at = set(), 0
    for letter in text:
        if ord(letter) > 0xFFFF:
            inner.add(at + 1)
            at += 1
        at += 1
    return inner


def trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Without the blanks around it, which Telegram never keeps; the marks move along."""
    bare = text.strip()
    if bare == text:
        return text, entities
    shift, size = units(text[: len(text) - len(text.lstrip())]), units(bare)
    moved = []
    for one in entities:
        start = max(one["offset"] - shift, 0)
        end = min(one["offset"] + one["length"] - shift, size)
        if end > start:
            moved.append({**one, "offset": start, "length": end - start})
    return bare, moved


def unparsed(why: str) -> Exception:
    return bad(f"can't parse entities: {why}")
