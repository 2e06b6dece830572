"""Lays out for a reader what stands in rows: receipts, cards, lists and histories; the sentences are in `texts`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from unicodedata import category as kind_of
from unicodedata import east_asian_width
from zoneinfo import ZoneInfo

from bot.language import listed, spoken, spoken_day, spoken_moment, texts
from memory import ArtifactRow, Category, Choices, FactRow, MemberRow, Mode, SpaceKind, SpaceRow, Visibility
from memory.context.replay import Replay
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.people.keys import OURS
from memory.privacy.forgetting.forget import Forgotten
from memory.turn.outcome import NoticeCode, Outcome, TurnNotice

Names = Mapping[str, str]
"""What people are called, by their ids."""


def receipt_line(receipt: Receipt, *, undo: bool = True) -> str:
    """What was done, from the row that was committed; with the way back where there is one and no button for it."""
    before = one_line(receipt.before.words) if receipt.before else ""
    line = texts.RECEIPTS[receipt.kind].format(id=receipt.row.id, content=one_line(receipt.row.words), before=before)
    return line + (texts.UNDO.format(id=receipt.row.id) if undo and receipt.can_be_undone else "")


def notice_line(notice: TurnNotice) -> str:
    """What the program itself tells of a turn."""
    values = notice.values
    match notice.code:
        case NoticeCode.SECRETS_LEFT_OUT:
            return secrets_left_out(values["kinds"])
        case NoticeCode.CARD_REJECTED:
            return texts.CARD_REJECTED
        case NoticeCode.REFUSED:
            return spoken(values["error"])
        case NoticeCode.MEMORY_AWAY:
            return texts.CANNOT_REMEMBER
        case NoticeCode.MODEL_AWAY:
            return texts.MODEL_AWAY.format(why=spoken(values["error"]))
        case NoticeCode.MODEL_AWAY_UNKEPT:
            return texts.MODEL_AWAY_UNKEPT.format(why=spoken(values["error"]))
        case NoticeCode.ANSWER_NOT_KEPT:
            return texts.ANSWER_NOT_KEPT
        case NoticeCode.TOO_MANY_STEPS:
            return texts.TOO_MANY_STEPS
        case NoticeCode.MODEL_REFUSED:
            return texts.REFUSED
        case NoticeCode.CUT_OFF:
            return texts.CUT_OFF
        case NoticeCode.REMINDER:
            return texts.REMINDER.format(words=values["words"])
        case NoticeCode.CARDS_WAIT:
            return texts.CARDS_WAIT.format(count=values["count"])


def outcome_lines(outcome: Outcome, *, undo: bool = True) -> list[str]:
    """Receipts and notices, as they stand under a reply."""
    receipts = (receipt_line(each, undo=undo) for each in outcome.receipts)
    return [*receipts, *map(notice_line, outcome.notices)]


def cards_shown(cards: Sequence[Card]) -> list[str]:
    """Each card with its question, and how it can be answered."""
    if not cards:
        return []
    answer = texts.ANSWER_ONE.format(id=cards[0].row.id) if len(cards) == 1 else texts.ANSWER_MANY
    return [*map(card_line, cards), answer]


def card_line(card: Card) -> str:
    before = one_line(card.about.words) if card.about else ""
    asked = texts.CARDS[card.row.kind].format(id=card.row.id, content=one_line(card.row.content or "█"), before=before)
    return asked if card.row.author in OURS else f"{asked} · {texts.ASKED_BY.format(agent=card.row.author)}"


def memory_list(facts: Sequence[FactRow], waiting: Sequence[Card], viewer: str, names: Names) -> str:
    """What is remembered, under its categories, each with the id that commands take; then what waits for a word."""
    title = texts.REMEMBERED.format(count=len(facts))
    lines = [title, *grouped(facts, viewer, names)] if facts else [texts.NOTHING_REMEMBERED]
    return "\n".join([*lines, *([texts.WAITING, *(f"  {card_line(card)}" for card in waiting)] if waiting else [])])


def grouped(facts: Sequence[FactRow], viewer: str, names: Names) -> list[str]:
    lines = []
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines.append(texts.CATEGORY_TITLES[Category(category)])
        lines += [f"  [{fact.id}] {one_line(fact.words)}{shared_mark(fact, viewer, names)}" for fact in group]
    return lines


def shared_mark(fact: FactRow, viewer: str, names: Names) -> str:
    if fact.visibility != Visibility.SHARED:
        return ""
    owner = one_line(names.get(fact.owner, fact.owner))
    return " " + (texts.SHARED if fact.owner == viewer else texts.SHARED_BY.format(owner=owner))


def found_facts(facts: Sequence[FactRow], viewer: str, names: Names) -> str:
    lines = [f"[{fact.id}] {one_line(fact.words)}{shared_mark(fact, viewer, names)}" for fact in facts]
    return "\n".join(lines) or texts.NOTHING_FOUND


def known_then(facts: Sequence[FactRow], moment: datetime, viewer: str, names: Names) -> str:
    if not facts:
        return texts.NOTHING_KNOWN_THEN
    title = texts.KNOWN_THEN.format(day=spoken_day(moment), time=f"{moment:%H:%M}")
    return "\n".join([title, *grouped(facts, viewer, names)])


def fact_shown(fact: FactRow, zone: ZoneInfo) -> str:
    about = texts.FACT_ABOUT.format(subject=fact.subject) if fact.subject else None
    traits = filter(None, [fact.category, about, fact.attribute, texts.VISIBILITIES[fact.visibility]])
    sensitivity = texts.SENSITIVITIES[fact.sensitivity]
    version = texts.FACT_VERSION.format(
        version=fact.version,
        moment=spoken_moment(fact.updated_at.astimezone(zone)),
        approval=texts.APPROVALS[fact.approval],
    )
    return "\n".join(
        [
            f"[{fact.id}] {one_line(fact.words)}",
            "  " + texts.FACT_TRAITS.format(traits=", ".join(traits), sensitivity=sensitivity),
            f"  {version}",
        ]
    )


def history_shown(versions: Sequence[FactRow], zone: ZoneInfo) -> str:
    lines = [texts.HISTORY.format(id=versions[0].id)]
    for row in versions:
        shared = row.visibility == Visibility.SHARED
        marks = [*([texts.DELETED] if row.forgotten else []), *([texts.VISIBILITIES[row.visibility]] if shared else [])]
        state = f" ({', '.join(marks)})" if marks else ""
        when = spoken_moment(row.updated_at.astimezone(zone))
        lines.append(f"  {row.version}. {when}: {one_line(row.words)}{state}; {texts.APPROVALS[row.approval]}")
    return "\n".join(lines)


def mode_shown(choices: Choices) -> str:
    never = texts.NEVER.format(categories=", ".join(sorted(choices.never_remember)))
    others = listed(sorted(set(Mode) - {choices.mode}), either=True)
    lines = [
        texts.MODES[choices.mode],
        *([never] if choices.never_remember else []),
        texts.OTHER_MODES.format(modes=others),
    ]
    return "\n".join(lines)


def memory_usage(command: str) -> str:
    """The same line for a wrong id, for another person's and for missing words: it tells nothing of what exists."""
    if command == "undo":
        return texts.NOTHING_TO_UNDO
    usage = texts.MEMORY_USAGE[command]
    where = f" {texts.MEMORY_IDS}" if "ID" in usage else ""
    return texts.MEMORY_WRONG.format(command=command, usage=usage) + where


def spaces_list(spaces: Sequence[SpaceRow], here: str) -> str:
    lines = []
    for space in spaces:
        named = f"{space.subject} ({texts.ROLES[space.role]}, {space.id})"
        name = texts.SPACE_PERSONAL if space.kind == SpaceKind.PERSONAL else named
        lines.append(f"  {'→' if space.id == here else ' '} {name}")
    return "\n".join([texts.SPACES, *lines, texts.SPACES_MORE])


def documents_list(documents: Sequence[ArtifactRow]) -> str:
    return "\n".join(
        f"  {row.meta.get('name', '?')} [{row.id}] ({spoken_day(row.ts)}, {row.owner})" for row in documents
    )


def replays_list(replays: Sequence[Replay]) -> str:
    """A line for each call; what is not the same is named."""
    lines = []
    for each in replays:
        changed = [f"{part} {texts.REPLAYS[how]}" for part, how in each.parts.items() if how != "same"]
        lines.append(f"{each.call_id}  {each.ts:%Y-%m-%d %H:%M}  {', '.join(changed) or texts.REPLAYS['same']}")
    return "\n".join(lines)


def members_list(members: Sequence[MemberRow]) -> str:
    return "\n".join(
        "  " + texts.MEMBER.format(user=called(row), role=texts.ROLES[row.role], day=spoken_day(row.joined_at))
        for row in members
    )


def called(member: MemberRow) -> str:
    """By name, and by what commands take."""
    return member.user if member.name == member.user else f"{one_line(member.name)} [{member.user}]"


def forgotten(done: Forgotten) -> str:
    """What is gone, counted; nothing of it is shown."""
    parts = [
        part.format(count=count)
        for count, part in (
            (done.facts, texts.FORGOTTEN_FACTS),
            (done.messages, texts.FORGOTTEN_MESSAGES),
            (len(done.topics), texts.FORGOTTEN_TOPICS),
            (done.summaries, texts.FORGOTTEN_SUMMARIES),
            (done.cards, texts.FORGOTTEN_CARDS),
            (done.entries, texts.FORGOTTEN_ENTRIES),
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
    """How much of a terminal's line it takes: a Chinese character two columns, a sign above or below another none."""
    return sum(0 if kind_of(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)


def table(rows: Sequence[Sequence[str]], *, numbers: bool = True) -> list[str]:
    """Aligned columns; the first to the left, the others to the right where they are numbers."""
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
