"""Kill -9 at any point of a dialogue: every message is answered, none twice, and memory holds what was agreed to."""

import os
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot import texts
from tests.e2e.program import Program, running, settings_for, until
from tests.scripted_model import Calls, Says, Step, has_results, model_for_a_process, words_of
from tests.telegram import FakeTelegram, Person, Said, Sent, telegram_for_a_process

pytestmark = pytest.mark.slow

KILLS = 25
SEED = int(os.environ.get("KEEPSAKE_TEST_SEED", "418734"))  # the points in time vary from run to run all the same
LONG = "A sentence that is said again and again. " * 150
IN_FLIGHT = 0.6  # seconds in which Telegram may still take what left before the kill
KILLED = "killed"  # what our connections are called, so that one sees when the last of them is gone
TAG = re.compile(r"\bm(\d\d)\b")


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
    """What a person does, one thing after the other, whatever happens to the program."""

    telegram: FakeTelegram
    ada: Person
    program: Program
    superuser_url: str
    tenant: str
    delays: dict[int, list[float]]
    windows: list[str] = field(default_factory=list)
    """Messages that Telegram had taken and we had not marked when we were killed."""
    taken_then: int = -1
    """How many Telegram had taken when that happened last; the very next is one of them once more."""
    step: int = 0
    confirmed: list[str] = field(default_factory=list)
    kills: int = 0
    caught: Counter[str] = field(default_factory=Counter)
    """What the program was doing when it was killed."""
    last: Said = field(default_factory=lambda: Said(0, 0, 0))
    """The last words."""
    before: dict[int, int] = field(default_factory=dict)
    """By update: how many messages went out before its answer."""

    def below(self) -> list[Sent]:
        """What stands below the last words."""
        return [each for each in self.ada.answers() if each.message_id > self.last.message_id]

    def answered(self, *wanted: str) -> list[Sent]:
        """The same, once all that is wanted is there."""

        def complete() -> bool:
            seen = " ".join(f"{each.text} {each.labels}" for each in self.below())
            return bool(self.below()) and all(each in seen for each in wanted)

        self.be_killed()
        self.telegram.wait_until(complete, 30)
        return self.below()

    def be_killed(self) -> None:
        for delay in self.delays.pop(self.step, []):
            if self.kills % 3:  # the others may come before it is written down
                self.telegram.wait_until(lambda: not self.telegram.pending, 30)
            time.sleep(delay)
            self.program.kill()
            self.kills += 1
            until(lambda: not self.has_connections(), 20, lambda: "PostgreSQL is still at work")
            time.sleep(IN_FLIGHT)
            self.note_window()
            self.program.start()
        self.step += 1

    def has_connections(self) -> bool:
        """Whether PostgreSQL still works on what it was told before the kill."""
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()"
        with psycopg.connect(self.superuser_url) as admin:
            found = admin.execute(query, (KILLED,)).fetchone()
        return bool(found and found[0])

    def sent(self) -> list[str]:
        """All that Telegram ever took; what stands in the chat may have been changed since."""
        return [call.params.words("text") for call in self.telegram.calls_of("sendMessage") if call.code == 200]

    def note_window(self) -> None:
        """Exactly here a reply may be doubled, and exactly once: Telegram has more of it than is marked as sent. It may
        be the reply to the words before the last: she speaks as soon as she sees it, which may be before the mark."""
        query = """SELECT cardinality(sent), update_id, CASE WHEN answer IS NOT NULL THEN 'sending' ELSE state END
            FROM inbox WHERE tenant_id = %s AND state <> 'done' ORDER BY update_id LIMIT 1"""
        with psycopg.connect(self.superuser_url) as admin:
            found = admin.execute(query, (self.tenant,)).fetchone()
        self.caught[found[2] if found else "nothing"] += 1
        sent = self.sent()
        if found is not None and found[1] in self.before and len(sent) - self.before[found[1]] > found[0]:
            self.windows.append(sent[-1])
            self.taken_then = len(sent)
            for update in self.before:  # it comes once more, before all that is still to be answered
                self.before[update] += update >= found[1]

    def speak(self, words: str) -> None:
        before = len(self.sent())
        before += before == self.taken_then
        self.last = self.ada.say(words)
        assert self.last.update_id
        self.before[self.last.update_id] = before

    def say(self, words: str, *wanted: str) -> list[Sent]:
        self.speak(words)
        tags = TAG.findall(words)
        return self.answered(*(f"end m{tag}" for tag in tags), *wanted)

    def order(self, fact: str) -> None:
        self.say(f"remember that {fact}", "✓")
        self.confirmed.append(fact)

    def card(self, fact: str) -> Sent:
        label = f"'{texts.BUTTON_REMEMBER}'"  # as it stands among the labels; receipts begin with the same letters
        return next(each for each in self.say(fact, label) if texts.BUTTON_REMEMBER in each.labels)

    def press(self, fact: str, label: str) -> None:
        card = self.card(fact)
        tap = self.ada.tap(card, label)
        self.be_killed()
        self.telegram.wait_until(lambda: self.telegram.answer_to(tap) is not None, 30)
        if label == texts.BUTTON_REMEMBER:
            self.telegram.wait_until(lambda: any("✓" in each.text and fact in each.text for each in self.ada.answers()))
            self.confirmed.append(fact)

    def agree(self, fact: str) -> None:
        """By a plain yes; when a kill made the card come again below it, by the button under that one."""
        self.card(fact)
        self.speak("yes")
        if not any("✓" in each.text for each in self.answered()):
            card = [each for each in self.ada.answers() if texts.BUTTON_REMEMBER in each.labels][-1]
            self.ada.tap(card, texts.BUTTON_REMEMBER)
            self.telegram.wait_until(lambda: any("✓" in each.text and fact in each.text for each in self.ada.answers()))
        self.confirmed.append(fact)

    def decline(self, fact: str, words: str) -> None:
        """The same with a no."""
        self.card(fact)
        if not any(texts.CARD_REJECTED in each.text for each in self.say(words)):
            card = [each for each in self.ada.answers() if texts.BUTTON_NO in each.labels][-1]
            tap = self.ada.tap(card, texts.BUTTON_NO)
            self.telegram.wait_until(lambda: self.telegram.answer_to(tap) is not None, 30)


def converse(dialogue: Dialogue) -> None:
    dialogue.say("/start")
    dialogue.say("hello m01")
    dialogue.order("the captain is Alec m02")
    dialogue.press("I swim every week m03", texts.BUTTON_REMEMBER)
    dialogue.agree("I sing every week m04")
    dialogue.decline("I smoke every week m05", "No, please do not. m06")
    dialogue.say("the captain is now called Bea m07")
    dialogue.say("tell me a story m08", "end m08")
    dialogue.say("/memory")
    dialogue.order("the cook is Carl m09")
    dialogue.press("I gamble every week m10", texts.BUTTON_NO)
    dialogue.say("who is the captain? m11")
    dialogue.agree("I run every week m12")
    dialogue.say("another story m13")
    dialogue.say("/memory list")
    dialogue.say("/why")
    dialogue.order("the dog is Rex m14")
    dialogue.say("/new")
    dialogue.say("goodbye m15")


def test_a_dialogue_survives_kill_nine_at_twenty_five_random_points(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    superuser_url: str,
) -> None:
    chance = random.Random(SEED)
    delays: dict[int, list[float]] = {}
    for _ in range(KILLS):
        delays.setdefault(chance.randrange(24), []).append(chance.uniform(0, 0.45))
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        named = {**own_database, "DATABASE_URL": f"{own_database['DATABASE_URL']}&application_name={KILLED}"}
        settings = {**settings_for(telegram, model.url), **named, "KEEPSAKE_LEASE_SECONDS": "1"}
        with running(environment, folder, **settings) as program:
            ada = telegram.person(11, "Ada")
            dialogue = Dialogue(telegram, ada, program, superuser_url, own_database["KEEPSAKE_TENANT"], delays)
            began = time.monotonic()
            converse(dialogue)
            took = time.monotonic() - began
            telegram.wait_until(lambda: open_updates(dialogue) == 0, 20)
            program.end()
            assert dialogue.kills == KILLS
            print(f"seed {SEED}: {KILLS} kills in {took:.0f} s, caught {dict(dialogue.caught)}")
            print(
                f"doubled by a kill between Telegram's answer and our mark: {len(dialogue.windows)} {dialogue.windows}"
            )
            assert dialogue.caught["working"] >= KILLS // 5, "the kills came when nothing was going on"
            ensure_answered_once_and_in_order(dialogue)
            ensure_rows(dialogue)


def open_updates(dialogue: Dialogue) -> int:
    with psycopg.connect(dialogue.superuser_url) as admin:
        query = "SELECT count(*) FROM inbox WHERE tenant_id = %s AND state NOT IN ('done', 'parked')"
        found = admin.execute(query, (dialogue.tenant,)).fetchone()
    return found[0] if found else 0


def ensure_answered_once_and_in_order(dialogue: Dialogue) -> None:
    told = f"seed {SEED}"
    sent, windows = Counter(dialogue.sent()), Counter(dialogue.windows)
    assert {text: count for text, count in sent.items() if "m" in text and count > 1} == {
        text: 1 + count for text, count in windows.items() if "m" in text
    }, told
    first: list[str] = []
    for text in (each.text for each in dialogue.ada.answers()):
        first += [tag for tag in re.findall(r"end m(\d\d)", text) if tag not in first]
    assert first == [f"{number:02}" for number in range(1, 16)], told


def ensure_rows(dialogue: Dialogue) -> None:
    told = f"seed {SEED}"
    with psycopg.connect(dialogue.superuser_url) as admin:

        def rows(query: str) -> list[Any]:
            return admin.execute(query.encode(), {"tenant": dialogue.tenant}).fetchall()

        facts = rows("""SELECT v.content FROM facts f JOIN fact_versions v ON v.tenant_id = f.tenant_id
            AND v.fact_id = f.id WHERE f.tenant_id = %(tenant)s AND v.version = 1 ORDER BY f.created_at""")
        states = rows("SELECT state, payload, answer FROM inbox WHERE tenant_id = %(tenant)s")
        events = rows("""SELECT conversation_id, seq, actor_type, kind, content ->> 'text' FROM events
            WHERE tenant_id = %(tenant)s ORDER BY conversation_id, seq""")
    assert sorted(fact for (fact,) in facts) == sorted(dialogue.confirmed), told
    assert set(states) == {("done", None, None)}, told
    for conversation in {row[0] for row in events}:
        numbers = [row[1] for row in events if row[0] == conversation]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), told
    said = Counter((row[2], row[4]) for row in events if row[3] == "message")
    twice = {"yes", "I heard that."}  # she says it twice, and so may its answer come
    assert [each for each, count in said.items() if count > 1 and each[1] not in twice] == [], told
    heard = [tag for row in events if row[2] == "human" for tag in TAG.findall(row[4] or "")]
    assert heard == [f"{number:02}" for number in range(1, 16)], told


def test_a_kill_between_telegrams_answer_and_our_mark_doubles_that_reply_and_no_other(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database, "KEEPSAKE_LEASE_SECONDS": "1"}
        with running(environment, folder, **settings) as program:
            ada = telegram.person(11, "Ada")
            ada.say("hello m01")
            telegram.wait_until(ada.answers)
            telegram.hang("sendMessage", 20, after_effect=True)
            ada.say("hello m02")
            telegram.wait_until(lambda: len(ada.answers()) == 2)
            program.kill()
            program.start()
            ada.say("hello m03")
            telegram.wait_until(lambda: len(ada.answers()) == 4)

            assert [TAG.findall(each.text)[-1] for each in ada.answers()] == ["01", "02", "02", "03"]
