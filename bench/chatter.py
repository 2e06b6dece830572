"""A long chat to measure on, the same in every run: what a person says, and what a model answers and calls.

The words of the talk come from a file of conversations; what is remembered, changed and forgotten is written out here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Any

from bench.conversations import Conversation
from db.vocabulary import Category
from tests.scripted_model import Calls, Says, Step, Thought

SEED = 20
BYTES_A_TOKEN = 4
SHORTEST, LONGEST = 5, 80  # tokens of a message
REPLY = (40, 250, 100)  # tokens of a reply: at least, at most, most often
WRITES_EVERY = 10  # turns
QUESTIONS, THANKS, LOOKED_UP = 0.30, 0.08, 1 / 3
ADVERSARIAL = "adversarial"
# Asks nothing, so that the yes after it can mean the card alone.
TOOK_NOTE = (
    "That is good to hear, and it fits with what you have told me about the last weeks. There is nothing that has to "
    "be done about it today, and it changes none of the plans that we made."
)
THANKED = ("Thanks!", "ok, good", "Thank you, great!", "Yes", "Perfect, thanks")

# What is known before the chat begins, as of somebody who has used the assistant for a while.
KNOWN: Sequence[tuple[Category, str, str | None]] = (
    (Category.PERSON, "Marta is my sister and lives in Coimbra with her two sons", "Marta"),
    (Category.PERSON, "Alec leads the team I work in and prefers short written updates", "Alec"),
    (Category.PERSON, "Dr. Pinto is my dentist, the practice opens at eight", "Dr. Pinto"),
    (Category.PERSON, "Jonas is the neighbour who keeps our spare key", "Jonas"),
    (Category.PREFERENCE, "I like answers that begin with the conclusion", None),
    (Category.PREFERENCE, "I drink my coffee without milk and without sugar", None),
    (Category.PREFERENCE, "On trains I prefer a window seat in the quiet carriage", None),
    (Category.PREFERENCE, "Give me distances in kilometres and temperatures in Celsius", None),
    (Category.CONTEXT, "We rent a flat on the third floor without a lift", None),
    (Category.CONTEXT, "Our car is a grey estate from 2016, its next inspection is in May", None),
    (Category.CONTEXT, "The school of the children closes at half past three", None),
    (Category.PROJECT, "I am writing a guide to the birds of the estuary, due next autumn", None),
    (Category.PROJECT, "The kitchen will be rebuilt in March by a carpenter from Setúbal", None),
    (Category.PROJECT, "At work we move the booking system to a new database", None),
    (Category.HOBBY, "I sing the tenor part in a choir that meets on Tuesdays", None),
    (Category.HOBBY, "I photograph birds with an old 300 mm lens", None),
    (Category.HOBBY, "On Sundays we walk or cycle along the river", None),
    (Category.RELATIONSHIP, "Inês and I have been married since 2011", "Inês"),
    (Category.RELATIONSHIP, "My parents live in Évora and visit us at Easter", None),
    (Category.MILESTONE, "In 2019 I finished the Lisbon marathon in under four hours", None),
    (Category.MILESTONE, "Our daughter Clara was born in 2014", "Clara"),
    (Category.OCCUPATION, "I work four days a week as a data engineer for a ferry company", None),
    (Category.HABIT, "I get up at six and read for half an hour before breakfast", None),
    (Category.HABIT, "On Fridays I plan the meals of the following week", None),
    (Category.OTHER, "The password book lies in the blue box in the hallway cupboard", None),
    (Category.OTHER, "The boiler was made by Junkers and is serviced every October", None),
    (Category.OTHER, "Our library cards are in the drawer under the telephone", None),
    (Category.OTHER, "The bicycle of Clara has 24 inch wheels", None),
)
ORDERED: Sequence[tuple[str, str]] = (
    ("preference", "I take the ferry at 7:40 whenever it rains"),
    ("person", "Paulo from accounting handles all travel claims"),
    ("project", "the first chapter of the bird guide goes to the printer in June"),
    ("context", "the garage code changes on the first of each month"),
    ("hobby", "the choir sings the Requiem by Fauré in April"),
    ("habit", "I call my parents on Wednesday evenings"),
    ("other", "the spare fuse for the cooker is behind the washing machine"),
    ("person", "Beatriz is the new teacher of Clara"),
    ("preference", "I want invoices as PDF and never as pictures"),
)
# Told by the way, so that a card asks; the next message is a yes.
ASKED: Sequence[tuple[str, str, str]] = (
    ("By the way, my brother Rui moved to Braga last week.", "person", "Rui, the user's brother, lives in Braga"),
    ("I have started to learn Danish, half an hour a day.", "hobby", "The user learns Danish for half an hour a day"),
    ("Our cat Bolo only eats the dry food from the vet.", "other", "The cat Bolo only eats the dry food from the vet"),
    ("From January on I have Fridays off.", "occupation", "The user has Fridays off from January on"),
)
# Begin of what is known, the message, and the words from then on.
CHANGED: Sequence[tuple[str, str, str]] = (
    (
        "Dr. Pinto is my dentist",
        "Dr. Pinto, my dentist: the practice opens at nine now.",
        "Dr. Pinto is my dentist, the practice opens at nine",
    ),
    (
        "The kitchen will be",
        "The kitchen will be rebuilt in April by a carpenter from Setúbal, not in March.",
        "The kitchen will be rebuilt in April by a carpenter from Setúbal",
    ),
    (
        "I take the ferry at",
        "I take the ferry at 7:25 whenever it rains, the 7:40 is gone.",
        "I take the ferry at 7:25 whenever it rains",
    ),
    (
        "I get up at six",
        "I get up at seven and read for half an hour before breakfast these days.",
        "I get up at seven and read for half an hour before breakfast",
    ),
)
FORGOTTEN: Sequence[str] = (
    "The password book lies in the blue box in the hallway cupboard",
    "Paulo from accounting handles all travel claims",
    "The bicycle of Clara has 24 inch wheels",
)


@dataclass(frozen=True)
class ScriptedTurn:
    words: str
    script: tuple[Step | Thought, ...]
    """Empty where the program answers by itself: a yes to a card."""
    kind: str
    pause: float
    """Seconds since the turn before."""


def earlier(conversations: Sequence[Conversation]) -> Conversation:
    """What was said before the chat: the first half of the first conversation."""
    first = conversations[0]
    return {**first, "sessions": first["sessions"][: len(first["sessions"]) // 2]}


def chat(conversations: Sequence[Conversation], turns: int, pace: float, seed: int = SEED) -> list[ScriptedTurn]:
    """The talk goes on where the first conversation was left; the questions are about all of that one."""
    chance = Random(seed)
    first, *others = conversations
    rest = [{**first, "sessions": first["sessions"][len(first["sessions"]) // 2 :]}, *others]
    said, asked, replies = _said(rest), _asked(first, chance), _replies(rest, chance)
    thanks = cycle(THANKED)
    writes = _writes()
    told: list[ScriptedTurn] = []
    next_write = chance.randrange(2, WRITES_EVERY)
    while len(told) < turns:
        pause = chance.uniform(pace / 2, pace * 3 / 2)
        if len(told) >= next_write and (written := next(writes, None)):
            words, call, kind = written
            reply = TOOK_NOTE if kind == "asked" else next(replies)
            told.append(ScriptedTurn(words, (call, Says((reply,))), kind, pause))
            if kind == "asked" and len(told) < turns:
                told.append(ScriptedTurn("Yes, please.", (), "yes", pause / 2))
            next_write += chance.randrange(WRITES_EVERY - 3, WRITES_EVERY + 4)
            continue
        dice = chance.random()
        if dice < QUESTIONS:
            words = next(asked)
            looked_up = Calls("search_memory", {"query": words})
            script = (looked_up,) if chance.random() < LOOKED_UP else ()
            told.append(ScriptedTurn(words, (*script, Says((next(replies),))), "question", pause))
        elif dice < QUESTIONS + THANKS:
            told.append(ScriptedTurn(next(thanks), (Says((next(replies),)),), "thanks", pause))
        else:
            told.append(ScriptedTurn(next(said), (Says((next(replies),)),), "talk", pause))
    return told


def _writes() -> Iterator[tuple[str, Step | Thought, str]]:
    """In turn: most often an order, then a card, a change, now and then something to forget."""
    ordered, asked, changed, forgotten = iter(ORDERED), iter(ASKED), iter(CHANGED), iter(FORGOTTEN)
    for kind in "order ask change order forget order ask order change order".split() * 2:
        if kind == "order":
            category, fact = next(ordered, ("", ""))
            if fact:
                call = Calls("add_to_memory", {"content": fact, "category": category})
                yield f"Remember that {fact}", call, "ordered"
        elif kind == "ask":
            words, category, fact = next(asked)
            yield words, Calls("add_to_memory", {"content": fact, "category": category}), "asked"
        elif kind == "change":
            begin, words, fact = next(changed)
            yield words, _calls("update_memory", begin, {"content": fact}), "changed"
        else:
            fact = next(forgotten)
            yield f"Forget that {fact[0].lower()}{fact[1:]}", _calls("forget_memory", fact, {}), "forgotten"


def _calls(tool: str, begin: str, arguments: dict[str, Any]) -> Thought:
    """As a model does, which reads the id of a fact in its prompt."""

    def think(request: dict[str, Any]) -> Step:
        shown = "\n".join(
            [request["system"][-1]["text"], *(block.get("text", "") for block in request["messages"][-1]["content"])]
        )
        found = re.findall(rf"\[id:(\w{{8}})\] (?:\[[^]]*\] )?{re.escape(begin)}", shown)
        return Calls(tool, {"memory_id": found[-1] if found else "notfound", **arguments})

    return think


def _said(conversations: Sequence[Conversation]) -> Iterator[str]:
    """What the first speaker of each conversation says, where it has the length of a message."""
    return cycle(
        [
            turn["text"]
            for conversation in conversations
            for session in conversation["sessions"]
            for turn in session["turns"]
            if turn["speaker"] == conversation["speakers"][0]
            and SHORTEST <= len(turn["text"].encode()) / BYTES_A_TOKEN <= LONGEST
        ]
    )


def _asked(conversation: Conversation, chance: Random) -> Iterator[str]:
    questions = [each["text"] for each in conversation["questions"] if each["category"] != ADVERSARIAL]
    chance.shuffle(questions)
    return cycle(questions)


def _replies(conversations: Sequence[Conversation], chance: Random) -> Iterator[str]:
    """What the other speakers say, joined until it is as long as a reply."""
    least, most, usual = REPLY
    words = cycle(
        [
            turn["text"]
            for conversation in conversations
            for session in conversation["sessions"]
            for turn in session["turns"]
            if turn["speaker"] != conversation["speakers"][0]
        ]
    )
    while True:
        wanted = int(chance.triangular(least, most, usual)) * BYTES_A_TOKEN
        reply = next(words)
        while len(reply.encode()) < wanted:
            reply = f"{reply} {next(words)}"
        yield reply.encode()[:wanted].decode("utf-8", "ignore").strip()
