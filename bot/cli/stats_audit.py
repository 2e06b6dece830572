"""`keepsake stats --audit`: what is rotten in one person's memory, in groups with their counts."""

import json
from collections.abc import Sequence

from bot.formatting import one_line
from bot.language import texts
from memory import FactRow
from memory.privacy.audit import Group, Rot


def rot_as_json(rot: Rot) -> str:
    told = {
        "facts": rot.facts,
        "duplicates": [_listed(group) for group in rot.duplicates],
        "echoes": _listed(rot.echoes),
        "contradictions": [_listed(group) for group in rot.contradictions],
        "never_recalled": _listed(rot.never_recalled),
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def rot_as_lines(rot: Rot) -> str:
    """Those that belong together stand together, with a blank line between groups of the same kind."""
    kinds: list[tuple[str, Sequence[Group]]] = [
        (texts.ROT_DUPLICATES, rot.duplicates),
        (texts.ROT_ECHOES, [(row,) for row in rot.echoes]),
        (texts.ROT_CONTRADICTIONS, rot.contradictions),
        (texts.ROT_NEVER_RECALLED, [(row,) for row in rot.never_recalled]),
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
    return "\n".join(lines) or texts.ROT_NONE


def _listed(rows: Sequence[FactRow]) -> list[dict[str, str]]:
    return [{"id": row.id, "words": row.words} for row in rows]
