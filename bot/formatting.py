"""Formats rows for the reader: receipts, cards, lists and histories. The sentences are in `texts`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from unicodedata import category, east_asian_width
from zoneinfo import ZoneInfo

from bot.language import format_day, format_list, format_moment, texts, translate_error
from memory import ArtifactRow, Category, Choices, FactRow, MemberRow, Mode, SpaceKind, SpaceRow, Visibility
from memory.context.replay import Replay
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.people.keys import RESERVED_NAMES
from memory.privacy.forgetting.forget import ForgetResult
from memory.turn.outcome import NoticeCode, Outcome, TurnNotice

Names = Mapping[str, str]
"""Display names by user id."""


def receipt_line(receipt: Receipt, *, undo: bool = True) -> str:
    """Describe a change from its committed row. With `undo`, add the command that reverts it."""
    before = one_line(receipt.before.words) if receipt.before else ""
    line = texts.RECEIPTS[receipt.kind].format(id=receipt.row.id, content=one_line(receipt.row.words), before=before)
    return line + (texts.RECEIPT_UNDO.format(id=receipt.row.id) if undo and receipt.can_be_undone else "")


def notice_line(notice: TurnNotice) -> str:
    values = notice.values
    match notice.code:
        case NoticeCode.SECRETS_LEFT_OUT:
            return secrets_left_out(values["kinds"])
        case NoticeCode.CARD_REJECTED:
            return texts.CARD_REJECTED[values["kind"]]
        case NoticeCode.REFUSED:
            return translate_error(values["error"])
        case NoticeCode.MEMORY_AWAY:
            return texts.MEMORY_AWAY_NOT_REMEMBERING
        case NoticeCode.MODEL_AWAY:
            return texts.MODEL_AWAY.format(why=translate_error(values["error"]))
        case NoticeCode.MODEL_AWAY_UNSAVED:
            return texts.MODEL_AWAY_UNSAVED.format(why=translate_error(values["error"]))
        case NoticeCode.ANSWER_NOT_KEPT:
            return texts.MEMORY_AWAY_ANSWER_LOST
        case NoticeCode.TOO_MANY_STEPS:
            return texts.TOO_MANY_STEPS
        case NoticeCode.MODEL_REFUSED:
            return texts.MODEL_REFUSED
        case NoticeCode.CUT_OFF:
            return texts.REPLY_CUT_OFF
        case NoticeCode.REMINDER:
            return texts.REMINDER_TODAY.format(words=values["words"])
        case NoticeCode.CARDS_WAIT:
            return texts.CARDS_WAIT.format(count=values["count"])


def outcome_lines(outcome: Outcome, *, undo: bool = True) -> list[str]:
    """Return the receipts and notices that follow a reply."""
    receipts = (receipt_line(each, undo=undo) for each in outcome.receipts)
    return [*receipts, *map(notice_line, outcome.notices)]


def cards_lines(cards: Sequence[Card]) -> list[str]:
    """Return the question of each card, and how to answer."""
    if not cards:
        return []
    answer = texts.CARD_HOW_TO_ANSWER.format(id=cards[0].row.id) if len(cards) == 1 else texts.CARDS_HOW_TO_ANSWER
    return [*map(card_line, cards), answer]


def card_line(card: Card) -> str:
    before = one_line(card.about.words) if card.about else ""
    question = texts.CARDS[card.row.kind].format(
        id=card.row.id, content=one_line(card.row.content or "█"), before=before
    )
    return (
        question
        if card.row.author in RESERVED_NAMES
        else f"{question} · {texts.CARD_ASKED_BY.format(agent=card.row.author)}"
    )


def memory_text(facts: Sequence[FactRow], waiting: Sequence[Card], viewer: str, names: Names) -> str:
    """List the facts by category with their ids, then the waiting cards."""
    title = texts.MEMORY_LIST_TITLE.format(count=len(facts))
    lines = [title, *facts_by_category(facts, viewer, names)] if facts else [texts.MEMORY_LIST_EMPTY]
    return "\n".join(
        [*lines, *([texts.MEMORY_LIST_WAITING, *(f"  {card_line(card)}" for card in waiting)] if waiting else [])]
    )


def facts_by_category(facts: Sequence[FactRow], viewer: str, names: Names) -> list[str]:
    lines = []
    for name, group in groupby(facts, key=lambda fact: fact.category):
        lines.append(texts.CATEGORY_TITLES[Category(name)])
        lines += [f"  [{fact.id}] {one_line(fact.words)}{sharing_note(fact, viewer, names)}" for fact in group]
    return lines


def sharing_note(fact: FactRow, viewer: str, names: Names) -> str:
    if fact.visibility != Visibility.SHARED:
        return ""
    owner = one_line(names.get(fact.owner, fact.owner))
    return " " + (texts.MEMORY_SHARED if fact.owner == viewer else texts.MEMORY_SHARED_BY.format(owner=owner))


def search_results(facts: Sequence[FactRow], viewer: str, names: Names) -> str:
    lines = [f"[{fact.id}] {one_line(fact.words)}{sharing_note(fact, viewer, names)}" for fact in facts]
    return "\n".join(lines) or texts.SEARCH_NOTHING


def facts_at_text(facts: Sequence[FactRow], moment: datetime, viewer: str, names: Names) -> str:
    if not facts:
        return texts.AS_OF_NOTHING
    title = texts.AS_OF_TITLE.format(day=format_day(moment), time=f"{moment:%H:%M}")
    return "\n".join([title, *facts_by_category(facts, viewer, names)])


def fact_details(fact: FactRow, zone: ZoneInfo) -> str:
    about = texts.FACT_ABOUT.format(subject=fact.subject) if fact.subject else None
    traits = filter(None, [fact.category, about, fact.attribute, texts.VISIBILITIES[fact.visibility]])
    sensitivity = texts.SENSITIVITIES[fact.sensitivity]
    version = texts.FACT_VERSION.format(
        version=fact.version,
        moment=format_moment(fact.updated_at.astimezone(zone)),
        approval=texts.APPROVALS[fact.approval],
    )
    return "\n".join(
        [
            f"[{fact.id}] {one_line(fact.words)}",
            "  " + texts.FACT_TRAITS.format(traits=", ".join(traits), sensitivity=sensitivity),
            f"  {version}",
        ]
    )


def history_text(versions: Sequence[FactRow], zone: ZoneInfo) -> str:
    lines = [texts.HISTORY_TITLE.format(id=versions[0].id)]
    for row in versions:
        shared = row.visibility == Visibility.SHARED
        marks = [
            *([texts.HISTORY_DELETED] if row.forgotten else []),
            *([texts.VISIBILITIES[row.visibility]] if shared else []),
        ]
        state = f" ({', '.join(marks)})" if marks else ""
        when = format_moment(row.updated_at.astimezone(zone))
        lines.append(f"  {row.version}. {when}: {one_line(row.words)}{state}; {texts.APPROVALS[row.approval]}")
    return "\n".join(lines)


def mode_text(choices: Choices) -> str:
    never = texts.MODE_NEVER.format(categories=", ".join(sorted(choices.never_remember)))
    others = format_list(sorted(set(Mode) - {choices.mode}), either=True)
    lines = [
        texts.MODES[choices.mode],
        *([never] if choices.never_remember else []),
        texts.MODE_OTHERS.format(modes=others),
    ]
    return "\n".join(lines)


def memory_usage(command: str) -> str:
    """Return the usage line of a command. It is the same for any bad id, so that it does not reveal which ids exist."""
    if command == "undo":
        return texts.UNDO_NOTHING
    usage = texts.MEMORY_USAGE[command]
    where = f" {texts.MEMORY_IDS}" if "ID" in usage else ""
    return texts.MEMORY_WRONG.format(command=command, usage=usage) + where


def spaces_text(spaces: Sequence[SpaceRow], here: str) -> str:
    lines = []
    for space in spaces:
        named = f"{space.subject} ({texts.ROLES[space.role]}, {space.id})"
        name = texts.SPACE_PERSONAL if space.kind == SpaceKind.PERSONAL else named
        lines.append(f"  {'→' if space.id == here else ' '} {name}")
    return "\n".join([texts.SPACES, *lines, texts.SPACES_MORE])


def documents_text(documents: Sequence[ArtifactRow]) -> str:
    return "\n".join(
        f"  {row.meta.get('name', '?')} [{row.id}] ({format_day(row.ts)}, {row.owner})" for row in documents
    )


def replays_text(replays: Sequence[Replay]) -> str:
    """Return a line for each call that names what differs."""
    lines = []
    for each in replays:
        changed = [f"{part} {texts.REPLAYS[how]}" for part, how in each.parts.items() if how != "same"]
        lines.append(f"{each.call_id}  {each.ts:%Y-%m-%d %H:%M}  {', '.join(changed) or texts.REPLAYS['same']}")
    return "\n".join(lines)


def members_text(members: Sequence[MemberRow]) -> str:
    return "\n".join(
        "  "
        + texts.SPACE_MEMBER.format(user=member_name(row), role=texts.ROLES[row.role], day=format_day(row.joined_at))
        for row in members
    )


def member_name(member: MemberRow) -> str:
    """Return the display name with the id that commands take."""
    return member.user if member.name == member.user else f"{one_line(member.name)} [{member.user}]"


def forgotten(done: ForgetResult) -> str:
    """Count what was forgotten, without showing any of it."""
    parts = [
        part.format(count=count)
        for count, part in (
            (done.facts, texts.FORGOTTEN_FACTS),
            (done.messages, texts.FORGOTTEN_MESSAGES),
            (len(done.topics), texts.FORGOTTEN_TOPICS),
            (done.summaries, texts.FORGOTTEN_SUMMARIES),
            (done.cards, texts.FORGOTTEN_CARDS),
            (done.ledger_entries, texts.FORGOTTEN_ENTRIES),
        )
        if count
    ]
    return texts.FORGOTTEN.format(parts=", ".join(parts)) if parts else texts.FORGOTTEN_NOTHING


def one_line(text: str) -> str:
    return " ".join(text.split())


def secrets_left_out(kinds: Sequence[str]) -> str:
    named = (texts.SECRETS.get(kind, kind) for kind in dict.fromkeys(kinds))
    return texts.SECRETS_LEFT_OUT.format(kinds=", ".join(named))


def columns(text: str) -> int:
    """Return the width in terminal columns: a Chinese character takes two, a combining mark none."""
    return sum(0 if category(char) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(char) in "WF") for char in text)


def table(rows: Sequence[Sequence[str]], *, numbers: bool = True) -> list[str]:
    """Return rows of aligned columns: the first to the left, the others to the right if they are numbers."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(cell, width, right=numbers and at > 0)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def padded(text: str, width: int, *, right: bool = False) -> str:
    gap = " " * (width - columns(text))
    return gap + text if right else text + gap
