"""The answers of the tools in words, for clients that show a model nothing else.

Whatever a person wrote stands in quotation marks, on one line, so that it cannot pass for ours; only of an artifact all
that follows is its text.
"""

import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]
# Where a line ends for some readers, besides those that JSON escapes by itself.
ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}


def recorded(body: Body) -> str:
    told = [f"Recorded as {body['event_id']}."]
    if body["redacted"]:
        told.append(f"Left out, because it looked like a secret: {', '.join(body['redacted'])}.")
    if body["entered"]:
        told.append(f"Entered as {body['entered']}.")
    return " ".join(told)


def bundle(body: Body) -> str:
    parts = [f"# {section['name']}\n{_joined(section)}" for section in body["sections"]]
    left = sum(len(each["candidates"]) for each in body["omissions"])
    last = f"({body['token_used_est']:,} tokens of {body['budget_tokens']:,}; left out: {left})"
    return "\n\n".join([*parts, last])


def artifact(body: Body) -> str:
    about = {name: body[name] for name in ("artifact_id", "kind", "size", "first_line", "last_line", "lines", "meta")}
    shown = _quoted({name: value for name, value in about.items() if value is not None})
    return f"{shown}\n{body['text'] if body['text'] is not None else body['base64']}"


def decisions(body: Body) -> str:
    return _page(body, "decisions", "Nothing of that was decided.", map(_decision, body["decisions"]))


def found(body: Body) -> str:
    facts, said = [*map(_fact, body["facts"])], [*map(_said, body["said"])]
    parts = [
        "\n".join(["Remembered:", *facts]) if facts else "Nothing that is remembered fits.",
        "\n".join(["Said before:", *said]) if said else "Nothing that was said fits.",
        body["note"] or "",
    ]
    return "\n\n".join(filter(None, parts))


def memories(body: Body) -> str:
    profile = {name: body["memory"][name] for name in ("summary", "key_topics", "preferences") if body["memory"][name]}
    listed = _page(body, "memories", "Nothing is remembered yet.", map(_fact, body["memories"]))
    return f"Profile: {_quoted(profile)}\n\n{listed}" if profile else listed


def asked(body: Body) -> str:
    card = body["proposal"]
    return f"Asked as card {card['id']} ({card['kind']}): {_quoted(card['content'])}. {body['note']}"


def _page(body: Body, name: str, nothing: str, lines: Iterator[str]) -> str:
    shown = [*lines]
    more = f"\nThere are more: ask with cursor {body['next_cursor']}" if body["next_cursor"] else ""
    return "\n".join([f"{len(shown)} of {body['total']}:", *shown]) + more if shown else nothing


def _fact(fact: Body) -> str:
    whose = f", shared by {_quoted(fact['shared_by'])}" if fact["shared_by"] else ""
    day = _day(fact["updated_at"] or fact["created_at"])
    return f"- [{fact['id']}] {fact['category']}, {day}{whose}: {_quoted(fact['content'])}"


def _said(hit: Body) -> str:
    whole = f", all of it in {hit['artifact_id']}" if hit["artifact_id"] else ""
    old = ", no longer holds" if hit["superseded"] else ""
    return f"- [{hit['id']}] by {_quoted(hit['by'])}, {_day(hit['at'])}{old}{whole}: {_quoted(hit['text'])}"


def _decision(row: Body) -> str:
    reasons = f", because {_quoted(row['rationale'])}" if row["rationale"] else ""
    after = f", superseded by {row['superseded_by']}" if row["superseded_by"] else ""
    return f"- [{row['decision_id']}] {_day(row['ts'])}, {row['status']}{after}: {_quoted(row['decision'])}{reasons}"


def _joined(section: Body) -> str:
    return "\n".join(f"- [{', '.join(item['refs'])}] {_quoted(item['text'])}" for item in section["items"])


def _quoted(words: object) -> str:
    return json.dumps(words, ensure_ascii=False).translate(ENDS)


def _day(moment: str) -> str:
    return moment[:10]
