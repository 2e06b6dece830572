"""Marked-up text as Telegram reads it: HTML, MarkdownV2 and the old Markdown, with Telegram's complaints."""

import re
from collections.abc import Callable
from html import unescape

from tests.telegram.entities import Entity, units, unparsed
from tests.telegram.request import bad

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "a": "text_link",
    "tg-emoji": "custom_emoji",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s+[\w-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?)*)\s*>")
ATTRIBUTE = re.compile(r"([\w-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
REFERENCE = re.compile(r"&(?:lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+);")
RESERVED = "_*[]()~`>#+-=|{}.!"
MARKS = {
    "*": "bold",
    "__": "underline",
    "_": "italic",
    "~": "strikethrough",
    "||": "spoiler",
    "```": "pre",
    "`": "code",
}
ADDRESS = re.compile(r"\(((?:\\.|[^)\\])*)\)")


class Page:
    """Bare text under construction, with the entities that are open on it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.size = 0
        self.open: list[Entity] = []
        self.entities: list[Entity] = []

    def write(self, piece: str) -> None:
        self.pieces.append(piece)
        self.size += units(piece)

    def begin(self, kind: str, **more: object) -> None:
        self.open.append({"type": kind, "offset": self.size, **more})

    def end(self, **more: object) -> None:
        one = self.open.pop()
        if self.size > one["offset"]:
            marks = {name: value for name, value in {**one, **more}.items() if name != "at"}
            self.entities.append({**marks, "length": self.size - one["offset"]})

    @property
    def top(self) -> str:
        return str(self.open[-1]["type"]) if self.open else ""

    def finish(self) -> tuple[str, list[Entity]]:
        return "".join(self.pieces), self.entities


def parsed(text: str, mode: str) -> tuple[str, list[Entity]]:
    readers: dict[str, Callable[[str], tuple[str, list[Entity]]]] = {
        "html": html,
        "markdownv2": markdown,
        "markdown": old_markdown,
    }
    reader = readers.get(mode.lower())
    if reader is None:
        raise bad("unsupported parse_mode")
    return reader(text)


def place(text: str, index: int) -> str:
    return f"at byte offset {len(text[:index].encode())}"


def html(text: str) -> tuple[str, list[Entity]]:
    page, at = Page(), 0
    while at < len(text):
        if text[at] == "&" and (reference := REFERENCE.match(text, at)):
            page.write(unescape(reference[0]))
            at = reference.end()
        elif text[at] == "<":
            tag = TAG.match(text, at)
            if tag is None:
                raise unparsed(f"Unclosed start tag {place(text, at)}")
            take_tag(page, tag, text)
            at = tag.end()
        else:
            stop = re.compile(r"[<&]").search(text, at + 1)
            page.write(text[at : stop.start() if stop else None])
            at = stop.start() if stop else len(text)
    if page.open:
        raise unparsed(f'Can\'t find end tag corresponding to start tag "{page.open[-1]["at"]}"')
    return page.finish()


def take_tag(page: Page, tag: re.Match[str], text: str) -> None:
    name = tag[2].lower()
    if name not in TAGS:
        raise unparsed(f'Unsupported start tag "{name}" {place(text, tag.start())}')
    if tag[1]:
        if not page.open:
            raise unparsed(f"Unexpected end tag {place(text, tag.start())}")
        if page.open[-1]["at"] != name:
            raise unparsed(
                f'Unmatched end tag {place(text, tag.start())}, expected "</{page.open[-1]["at"]}>", found "</{name}>"'
            )
        page.end()
        return
    values = {one[1].lower(): unescape(one[2] or one[3] or one[4] or "") for one in ATTRIBUTE.finditer(tag[3])}
    if name == "span" and values.get("class") != "tg-spoiler":
        raise unparsed(f'Tag "span" must have class "tg-spoiler" {place(text, tag.start())}')
    more: dict[str, object] = {}
    kind = TAGS[name]
    if name == "a":
        more["url"] = values.get("href", "")
    elif name == "tg-emoji":
        more["custom_emoji_id"] = values.get("emoji-id", "")
    elif name == "blockquote" and "expandable" in values:
        kind = "expandable_blockquote"
    elif name == "code" and page.top == "pre" and values.get("class", "").startswith("language-"):
        page.open[-1]["language"] = values["class"].removeprefix("language-")
    page.begin(kind, at=name, **more)


def markdown(text: str) -> tuple[str, list[Entity]]:
    page, at = Page(), 0
    while at < len(text):
        letter = text[at]
        verbatim = page.top in ("code", "pre")
        if letter == "\\" and at + 1 < len(text) and 0 < ord(text[at + 1]) < 127:
            page.write(text[at + 1])
            at += 2
        elif not verbatim and (at == 0 or text[at - 1] == "\n") and (quote := re.compile(r"(\*\*)?>").match(text, at)):
            if not page.open or page.open[0]["type"] != "blockquote" or quote[1]:
                end_quote(page, text, at)
                page.begin("blockquote", at=at)
            at = quote.end()
        elif letter not in ("`" if verbatim else RESERVED):
            page.write(letter)
            at += 1
            if letter == "\n" and not verbatim and not text.startswith(">", at):
                end_quote(page, text, at)
        else:
            at = take_mark(page, text, at)
    end_quote(page, text, len(text))
    if page.open:
        raise unclosed(page, text)
    return page.finish()


def end_quote(page: Page, text: str, at: int) -> None:
    """A block quote ends with its last line; nothing that began in it may stay open."""
    if not page.open or page.open[0]["type"] != "blockquote":
        return
    kind = "blockquote"
    if page.top == "spoiler" and page.open[-1]["offset"] == page.size:
        page.open.pop()
        kind = "expandable_blockquote"
    if len(page.open) > 1:
        raise unclosed(page, text)
    newline = at < len(text) and text[at - 1] == "\n"
    page.size -= newline
    page.end(type=kind)
    page.size += newline


def unclosed(page: Page, text: str) -> Exception:
    kind = page.top.replace("_", " ").title().replace(" ", "")
    return unparsed(f"Can't find end of {kind} entity {place(text, page.open[-1]['at'])}")


def take_mark(page: Page, text: str, at: int) -> int:
    """One character with a meaning; gives where to read on."""
    closing = {kind: mark for mark, kind in MARKS.items()}.get(page.top)
    if closing == "_" and text.startswith("__", at):
        closing = None
    if closing and text.startswith(closing, at):
        page.end()
        return at + len(closing)
    if page.top in ("code", "pre"):
        page.write(text[at])
        return at + 1
    if page.top in ("text_link", "custom_emoji") and text[at] == "]":
        return end_link(page, text, at)
    for mark in ("```", "__", "||", "`", "*", "_", "~"):
        if text.startswith(mark, at):
            page.begin(MARKS[mark], at=at)
            return after_language(page, text, at + 3) if mark == "```" else at + len(mark)
    if text[at] == "[" or text.startswith("![", at):
        page.begin("text_link" if text[at] == "[" else "custom_emoji", at=at)
        return at + (1 if text[at] == "[" else 2)
    raise unparsed(f"Character '{text[at]}' is reserved and must be escaped with the preceding '\\'")


def after_language(page: Page, text: str, at: int) -> int:
    head = re.compile(r"([^\s`]*)\n").match(text, at)
    if head is None:
        return at
    if head[1]:
        page.open[-1]["language"] = head[1]
    return head.end()


def end_link(page: Page, text: str, at: int) -> int:
    address = ADDRESS.match(text, at + 1)
    if address is None:
        if page.top == "text_link" and text[at + 1 : at + 2] != "(":
            page.open.pop()
            return at + 1
        raise unparsed(f"Can't find end of a URL {place(text, at + 1)}")
    url = re.sub(r"\\(.)", r"\1", address[1])
    if page.top == "text_link":
        page.end(url=url)
    else:
        page.end(custom_emoji_id=url.rpartition("id=")[2])
    return address.end()


def old_markdown(text: str) -> tuple[str, list[Entity]]:
    page, at = Page(), 0
    while at < len(text):
        letter = text[at]
        if letter == "\\" and text[at + 1 : at + 2] in tuple("_*`["):
            page.write(text[at + 1])
            at += 2
        elif letter not in "_*`[":
            page.write(letter)
            at += 1
        else:
            mark = "```" if text.startswith("```", at) else letter
            end = text.find("]" if letter == "[" else mark, at + len(mark))
            if end < 0:
                raise unparsed(f"Can't find end of the entity starting {place(text, at)}")
            kind = "text_link" if letter == "[" else MARKS[mark]
            page.begin(kind, at=at)
            start = after_language(page, text, at + 3) if mark == "```" else at + len(mark)
            page.write(text[start:end])
            at = end_link(page, text, end) if letter == "[" else end + len(mark)
            if letter != "[":
                page.end()
    return page.finish()
