"""Renders tool results as plain text, for clients that pass only text to the model.

Text that people wrote is quoted on one line, so that it cannot pass for ours. Only the text of an artifact is unquoted;
it comes last.
"""

import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]
# Some readers end a line at these characters, and JSON does not escape them.
LINE_SEPARATOR_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}


def event(body: Body) -> str:
    lines = [f"Recorded as {body['event_id']}."]
    if body["redacted"]:
        lines.append(f"Left out because it looked like a secret: {', '.join(body['redacted'])}.")
    if body["entered"]:
        lines.append(f"Stored as {body['entered']}.")
    return " ".join(lines)


def bundle(body: Body) -> str:
    parts = [f"# {section['name']}\n{_section_items(section)}" for section in body["sections"]]
    omitted = sum(len(omission["candidates"]) for omission in body["omissions"])
    usage = f"({body['token_used_est']:,} of {body['budget_tokens']:,} tokens; left out: {omitted})"
    return "\n\n".join([*parts, usage])


def artifact(body: Body) -> str:
    fields = {name: body[name] for name in ("artifact_id", "kind", "size", "first_line", "last_line", "lines", "meta")}
    header = _quote({name: value for name, value in fields.items() if value is not None})
    return f"{header}\n{body['text'] if body['text'] is not None else body['base64']}"


def decisions(body: Body) -> str:
    return _page(body, "No matching decisions.", map(_decision, body["decisions"]))


def search_results(body: Body) -> str:
    facts, passages = [*map(_fact, body["facts"])], [*map(_passage, body["said"])]
    parts = [
        "\n".join(["Remembered:", *facts]) if facts else "No matching facts.",
        "\n".join(["Said before:", *passages]) if passages else "No matching messages.",
        body["note"] or "",
    ]
    return "\n\n".join(filter(None, parts))


def memories(body: Body) -> str:
    profile = {name: body["memory"][name] for name in ("summary", "key_topics", "preferences") if body["memory"][name]}
    facts = _page(body, "Nothing is remembered yet.", map(_fact, body["memories"]))
    return f"Profile: {_quote(profile)}\n\n{facts}" if profile else facts


def proposal(body: Body) -> str:
    card = body["proposal"]
    return f"Proposed as card {card['id']} ({card['kind']}): {_quote(card['content'])}. {body['note']}"


def _page(body: Body, if_empty: str, lines: Iterator[str]) -> str:
    items = [*lines]
    more = f"\nFor more, call again with cursor {body['next_cursor']}" if body["next_cursor"] else ""
    return "\n".join([f"{len(items)} of {body['total']}:", *items]) + more if items else if_empty


def _fact(fact: Body) -> str:
    shared_by = f", shared by {_quote(fact['shared_by'])}" if fact["shared_by"] else ""
    day = _day(fact["updated_at"] or fact["created_at"])
    return f"- [{fact['id']}] {fact['category']}, {day}{shared_by}: {_quote(fact['content'])}"


def _passage(hit: Body) -> str:
    full_text = f", full text in {hit['artifact_id']}" if hit["artifact_id"] else ""
    superseded = ", superseded" if hit["superseded"] else ""
    return f"- [{hit['id']}] by {_quote(hit['by'])}, {_day(hit['at'])}{superseded}{full_text}: {_quote(hit['text'])}"


def _decision(row: Body) -> str:
    rationale = f", because {_quote(row['rationale'])}" if row["rationale"] else ""
    status = f"{row['status']}, superseded by {row['superseded_by']}" if row["superseded_by"] else row["status"]
    return f"- [{row['decision_id']}] {_day(row['ts'])}, {status}: {_quote(row['decision'])}{rationale}"


def _section_items(section: Body) -> str:
    return "\n".join(f"- [{', '.join(item['refs'])}] {_quote(item['text'])}" for item in section["items"])


def _quote(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).translate(LINE_SEPARATOR_ESCAPES)


def _day(moment: str) -> str:
    return moment[:10]
