"""`keepsake stats --audit`: the problems found in one person's memory, in groups with their counts."""

import json
from collections.abc import Sequence

from bot.formatting import one_line
from bot.language import texts
from memory import FactRow
from memory.privacy.audit_rules import AuditReport, Group


def audit_as_json(report: AuditReport) -> str:
    document = {
        "facts": report.facts,
        "duplicates": [_as_dicts(group) for group in report.duplicates],
        "echoes": _as_dicts(report.echoes),
        "contradictions": [_as_dicts(group) for group in report.contradictions],
        "never_recalled": _as_dicts(report.never_recalled),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def audit_as_lines(report: AuditReport) -> str:
    """List the problems by kind, with a blank line between groups of related facts."""
    kinds: list[tuple[str, Sequence[Group]]] = [
        (texts.AUDIT_DUPLICATES, report.duplicates),
        (texts.AUDIT_ECHOES, [(row,) for row in report.echoes]),
        (texts.AUDIT_CONTRADICTIONS, report.contradictions),
        (texts.AUDIT_NEVER_RECALLED, [(row,) for row in report.never_recalled]),
    ]
    lines: list[str] = []
    for title, groups in kinds:
        if not groups:
            continue
        lines.append(title.format(count=len(groups)))
        for number, group in enumerate(groups):
            if number and len(group) > 1:
                lines.append("")
            lines += [f"  [{row.id}] {one_line(row.words)}" for row in group]
    return "\n".join(lines) or texts.AUDIT_NONE


def _as_dicts(rows: Sequence[FactRow]) -> list[dict[str, str]]:
    return [{"id": row.id, "words": row.words} for row in rows]
