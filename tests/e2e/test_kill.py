"""Kill -9 at every named point of a dialogue: all is answered, nothing twice, and memory holds what was agreed to.

Only a kill between Telegram's answer and our mark doubles a message, that one, and once.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot import texts
from db.vocabulary import ProposalKind
from tests.e2e.inbox import InboxRows
from tests.e2e.points import DOUBLES, POINTS, Arming
from tests.e2e.program import Program, running, settings_for
from tests.e2e.talking import TAG, answered, ask, seen
from tests.scripted_model import Calls, Says, Step, has_results, model_for_a_process, words_of
from tests.telegram import FakeTelegram, Person, Sent, telegram_for_a_process

pytestmark = pytest.mark.slow

REMEMBER = texts.CARD_YES[ProposalKind.ADD]
LONG = "A sentence that is said again and again. " * 150
ELSEWHERE = {"caught up", "batch in a transaction", "batch imported", "page rebuilt"}
IN_A_DIALOGUE = {name for name in POINTS if name not in ELSEWHERE and not name.startswith("event ")}


def think(request: dict[str, Any]) -> Step:
    """A pure function: who asks again after a crash gets the same answer."""
    said = [words_of({"messages": [each]}) for each in request["messages"] if each["role"] == "user"]
    words = next((each for each in reversed(said) if each.strip()), "")
    own = words.rsplit("\n", 1)[-1]  # what stands before it was recalled
    tags = TAG.findall(own)
    if not tags:
        return Says(("I heard that.",))
    tag = tags[-1]
    answer = Says((f"answer m{tag} ", *(LONG if "story" in own else "",), f"end m{tag}"))
    if has_results(request):
        return answer
    if "remember that" in own or "every week" in own:
        return Calls("add_to_memory", {"content": own.split("remember that ")[-1], "category": "context"})
    if "now called" in own and (known := re.search(r"\[id:(\w{8})\][^\n]*captain", str(request))):
        return Calls("update_memory", {"id": known[1], "content": own})
    return answer


@dataclass
class Dialogue:
    """What a person does, one thing after the other; each time the program is killed at a named point of it."""

    telegram: FakeTelegram
    ada: Person
    program: Program
    arming: Arming
    inbox: InboxRows
    confirmed: list[str] = field(default_factory=list)
    points: set[str] = field(default_factory=set)
    misses: list[Any] = field(default_factory=list)
    said: int = 0
    """How many messages Telegram had taken from the bot before the last words."""

    def sent(self) -> list[str]:
        """All that Telegram ever took; what stands in the chat may have been changed since."""
        return [call.params.words("text") for call in self.telegram.calls_of("sendMessage") if call.code == 200]

    def be_killed(self, point: str) -> None:
        """There, and nowhere else; then it goes on, and comes to the end of what it was doing."""
        self.program.wait_until_dead()
        assert self.arming.was_hit
        self.points.add(point)
        self.inbox.let_leases_run_out()
        self.program.start()
        seen(self.telegram, lambda: not self.telegram.pending and not self.inbox.open())
        doubled = [text for text, count in Counter(map(nameless, self.sent()[self.said :])).items() if count > 1]
        if len(doubled) != (point == DOUBLES):
            self.misses.append((point, doubled, self.sent()[self.said :]))

    def say(self, words: str, point: str, *wanted: str) -> list[Sent]:
        """What stands below these words in the end."""
        self.said = len(self.sent())
        self.arming.kill_at(point)
        told = self.ada.say(words)
        self.be_killed(point)
        below = [each for each in self.ada.answers() if each.message_id > told.message_id]
        seen_there = " ".join(f"{each.text} {each.labels}" for each in below)
        for each in (*wanted, *(f"end m{tag}" for tag in TAG.findall(words))):
            if each not in seen_there:
                self.misses.append((words, point, each, seen_there))
        return below

    def order(self, fact: str, point: str) -> None:
        self.say(f"remember that {fact}", point, "✓")
        self.confirmed.append(fact)

    def card(self, fact: str, point: str) -> Sent:
        below = self.say(fact, point, f"'{REMEMBER}'")
        return next(each for each in below if REMEMBER in each.labels)

    def press(self, fact: str, label: str, at_card: str, at_tap: str) -> None:
        card = self.card(fact, at_card)
        self.said = len(self.sent())
        self.arming.kill_at(at_tap)
        tap = self.ada.tap(card, label)
        self.be_killed(at_tap)
        seen(self.telegram, lambda: self.telegram.answer_to(tap) is not None)
        if label == REMEMBER:
            assert any("✓" in each.text and fact in each.text for each in self.ada.answers())
            self.confirmed.append(fact)

    def agree(self, fact: str, at_card: str, at_yes: str) -> None:
        self.card(fact, at_card)
        self.say("yes", at_yes, "✓", fact)
        self.confirmed.append(fact)


def nameless(text: str) -> str:
    """A card that is made anew has another id."""
    return re.sub(r"\[\w{8}\]", "[id]", text)


def converse(dialogue: Dialogue) -> None:
    dialogue.say("/start", "received")
    dialogue.say("hello m01", "written down")
    dialogue.order("the captain is Alec m02", "tool used")
    dialogue.press("I swim every week m03", REMEMBER, "claimed", "told over the chat")
    dialogue.agree("I sing every week m04", "answer kept", "kept in a transaction")
    dialogue.card("I smoke every week m05", "thought")
    dialogue.say("No, please do not. m06", "heard")  # declined it is; that this is said as well is lost with the kill
    dialogue.say("the captain is now called Bea m07", "about to keep")
    dialogue.say("tell me a story m08", "part marked")
    dialogue.say("/memory", "finished")
    dialogue.order("the cook is Carl m09", "entered")
    dialogue.press("I gamble every week m10", texts.BUTTON_NO, "taken by Telegram", "finished")
    dialogue.say("who is the captain? m11", "taken by Telegram")
    dialogue.agree("I run every week m12", "first words", "taken by Telegram")
    dialogue.say("another story m13", "taken by Telegram")
    dialogue.say("/memory list", "claimed")
    dialogue.say("/why", "answer kept")
    dialogue.order("the dog is Rex m14", "kept in a transaction")
    dialogue.say("/new", "finished")
    dialogue.say("goodbye m15", "answer kept")


def test_a_dialogue_survives_kill_nine_at_every_point(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    superuser_url: str,
    tenant: str,
    arming: Arming,
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database}
        with running({**environment, **settings}, folder, armed=arming) as program:
            ada = telegram.person(11, "Ada")
            dialogue = Dialogue(telegram, ada, program, arming, InboxRows(superuser_url, tenant))
            converse(dialogue)

            assert dialogue.misses == []
            assert dialogue.points == IN_A_DIALOGUE
            ensure_in_order(dialogue)
            ensure_rows(dialogue)


def ensure_in_order(dialogue: Dialogue) -> None:
    first: list[str] = []
    for text in (each.text for each in dialogue.ada.answers()):
        first += [tag for tag in re.findall(r"end m(\d\d)", text) if tag not in first]
    assert first == [f"{number:02}" for number in range(1, 16)]


def ensure_rows(dialogue: Dialogue) -> None:
    facts = dialogue.inbox.rows("""SELECT v.content FROM facts f JOIN fact_versions v ON v.tenant_id = f.tenant_id
        AND v.fact_id = f.id WHERE f.tenant_id = %(tenant)s AND v.version = 1 ORDER BY f.created_at""")
    states = dialogue.inbox.rows("SELECT state, payload, answer FROM inbox WHERE tenant_id = %(tenant)s")
    events = dialogue.inbox.rows("""SELECT conversation_id, seq, actor_type, kind, content ->> 'text' FROM events
        WHERE tenant_id = %(tenant)s ORDER BY conversation_id, seq""")
    assert sorted(fact for (fact,) in facts) == sorted(dialogue.confirmed)
    assert set(states) == {("done", None, None)}
    for conversation in {row[0] for row in events}:
        numbers = [row[1] for row in events if row[0] == conversation]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    said = Counter((row[2], row[4]) for row in events if row[3] == "message")
    assert {each: count for each, count in said.items() if count > 1} == {("human", "yes"): 2}  # she says it twice
    heard = [tag for row in events if row[2] == "human" for tag in TAG.findall(row[4] or "")]
    assert heard == [f"{number:02}" for number in range(1, 16)]


@pytest.mark.parametrize(
    ("point", "replies"),
    [("answer kept", [1, 2, 3]), (DOUBLES, [1, 2, 2, 3])],
    ids=["before", "after"],
)
def test_a_kill_after_telegrams_answer_doubles_that_reply_and_one_before_it_none(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    superuser_url: str,
    tenant: str,
    arming: Arming,
    point: str,
    replies: list[int],
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database}
        with running({**environment, **settings}, folder, armed=arming) as program:
            ada = telegram.person(11, "Ada")
            inbox = InboxRows(superuser_url, tenant)
            ask(telegram, ada, "hello m1")
            seen(telegram, lambda: not inbox.open())  # Telegram has an answer before the program has marked it
            arming.kill_at(point)
            ada.say("hello m2")
            program.wait_until_dead()
            inbox.let_leases_run_out()
            program.start()
            ada.say("hello m3")
            seen(telegram, lambda: 3 in answered(ada))

            assert answered(ada) == replies
