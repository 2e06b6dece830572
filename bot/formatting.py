"""Lays out for a reader what stands in rows: receipts, cards, lists and histories; the sentences are in `texts`."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from bot.language import texts
from db.queries.artifacts import ArtifactRow
from db.queries.facts import FactRow
from db.queries.people import Choices
from db.queries.spaces import MemberRow, SpaceRow
from db.vocabulary import Category, Mode, SpaceKind, Visibility
from memory.context.replay import Replay
from memory.privacy.forget import Forgotten
from memory.proposals import Card
from memory.receipts import Receipt


def receipt_line(receipt: Receipt, *, undo: bool = True) -> str:
    """What was done, from the row that was committed; with the way back where there is one and no button for it."""
    before = one_line(receipt.before.words) if receipt.before else ""
    line = texts.RECEIPTS[receipt.kind].format(id=receipt.row.id, content=one_line(receipt.row.words), before=before)
    return line + (texts.UNDO.format(id=receipt.row.id) if undo and receipt.can_be_undone else "")


def cards_shown(cards: Sequence[Card]) -> list[str]:
    """Each card with its question, and how it can be answered."""
    if not cards:
        return []
    answer = texts.ANSWER_ONE.format(id=cards[0].row.id) if len(cards) == 1 else texts.ANSWER_MANY
    return [*map(card_line, cards), answer]


def card_line(card: Card) -> str:
    before = one_line(card.about.words) if card.about else ""
    return texts.CARDS[card.row.kind].format(id=card.row.id, content=one_line(card.row.content or "█"), before=before)


def memory_list(facts: Sequence[FactRow], waiting: Sequence[Card], viewer: str) -> str:
    """What is remembered, under its categories, each with the id that commands take; then what waits for a word."""
    things = "1 thing" if len(facts) == 1 else f"{len(facts)} things"
    lines = [f"I remember {things} about you:", *grouped(facts, viewer)] if facts else [texts.NOTHING_REMEMBERED]
    return "\n".join([*lines, *([texts.WAITING, *(f"  {card_line(card)}" for card in waiting)] if waiting else [])])


def grouped(facts: Sequence[FactRow], viewer: str) -> list[str]:
    lines = []
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines.append(texts.CATEGORY_TITLES[Category(category)])
        lines += [f"  [{fact.id}] {one_line(fact.words)}{shared_mark(fact, viewer)}" for fact in group]
    return lines


def shared_mark(fact: FactRow, viewer: str) -> str:
    if fact.visibility != Visibility.SHARED:
        return ""
    return " (shared)" if fact.owner == viewer else f" (shared by {fact.owner})"


def found_facts(facts: Sequence[FactRow], viewer: str) -> str:
    lines = [f"[{fact.id}] {one_line(fact.words)}{shared_mark(fact, viewer)}" for fact in facts]
    return "\n".join(lines) or texts.NOTHING_FOUND


def known_then(facts: Sequence[FactRow], moment: datetime, viewer: str) -> str:
    if not facts:
        return texts.NOTHING_KNOWN_THEN
    return "\n".join([f"On {moment:%d %B %Y} at {moment:%H:%M} I remembered:", *grouped(facts, viewer)])


def fact_shown(fact: FactRow, zone: ZoneInfo) -> str:
    about = [f"about {fact.subject}"] if fact.subject else []
    traits = [str(fact.category), *about, *([str(fact.attribute)] if fact.attribute else []), str(fact.visibility)]
    since = f"{fact.updated_at.astimezone(zone):%d %B %Y %H:%M}"
    return "\n".join(
        [
            f"[{fact.id}] {one_line(fact.words)}",
            f"  {', '.join(traits)}; sensitivity {fact.sensitivity}",
            f"  version {fact.version} of {since}: {texts.APPROVALS[fact.approval]}",
        ]
    )


def history_shown(versions: Sequence[FactRow], zone: ZoneInfo) -> str:
    lines = [f"The history of [{versions[0].id}]:"]
    for row in versions:
        marks = [mark for mark, holds in (("deleted", row.forgotten), ("shared", row.visibility == "shared")) if holds]
        state = f" ({', '.join(marks)})" if marks else ""
        when = f"{row.updated_at.astimezone(zone):%d %B %Y %H:%M}"
        lines.append(f"  {row.version}. {when}: {one_line(row.words)}{state}; {texts.APPROVALS[row.approval]}")
    return "\n".join(lines)


def mode_shown(choices: Choices) -> str:
    never = texts.NEVER.format(categories=", ".join(sorted(choices.never_remember)))
    others = " or ".join(sorted(set(Mode) - {choices.mode}))
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
    where = " /memory lists the ids." if "ID" in usage else ""
    return f"That did not work. It goes like this: /memory {command} {usage}.{where}"


def spaces_list(spaces: Sequence[SpaceRow], here: str) -> str:
    lines = []
    for space in spaces:
        name = "personal" if space.kind == SpaceKind.PERSONAL else f"{space.subject} ({space.role}, {space.id})"
        lines.append(f"  {'→' if space.id == here else ' '} {name}")
    return "\n".join(["Your spaces:", *lines, "/space help tells more."])


def documents_list(documents: Sequence[ArtifactRow]) -> str:
    return "\n".join(f"  {row.meta.get('name', '?')} [{row.id}] ({row.ts:%d %B %Y}, {row.owner})" for row in documents)


def replays_list(replays: Sequence[Replay]) -> str:
    """A line for each call; what is not the same is named."""
    lines = []
    for each in replays:
        changed = [f"{part} {how}" for part, how in each.parts.items() if how != "same"]
        lines.append(f"{each.call_id}  {each.ts:%Y-%m-%d %H:%M}  {', '.join(changed) or 'same'}")
    return "\n".join(lines)


def members_list(members: Sequence[MemberRow]) -> str:
    return "\n".join(f"  {member.user} ({member.role}, since {member.joined_at:%d %B %Y})" for member in members)


def forgotten(done: Forgotten) -> str:
    """What is gone, counted; nothing of it is shown."""
    parts = [
        f"{number} {thing if number == 1 else things}"
        for number, thing, things in (
            (done.facts, "fact", "facts"),
            (done.messages, "message", "messages"),
            (len(done.topics), "topic", "topics"),
            (done.summaries, "summary", "summaries"),
        )
        if number
    ]
    return f"Gone for good: {', '.join(parts)}." if parts else "There was nothing of that to forget."


def one_line(text: str) -> str:
    return " ".join(text.split())


def secrets_left_out(kinds: Sequence[str]) -> str:
    return texts.SECRETS_LEFT_OUT.format(kinds=", ".join(dict.fromkeys(kinds)))
