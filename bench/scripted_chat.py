"""A reproducible long chat for benchmarks: the person's messages, and the replies and tool calls of the model.

Small talk comes from a file of conversations; what is remembered, changed and forgotten is written out here.
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
MIN_MESSAGE, MAX_MESSAGE = 5, 80  # tokens
REPLY = (40, 250, 100)  # tokens: minimum, maximum and mode
WRITE_INTERVAL = 10  # turns
QUESTIONS, THANKS, LOOKUPS = 0.30, 0.08, 1 / 3
ADVERSARIAL = "adversarial"
# Contains no question, so that a following yes can only mean the card.
ACKNOWLEDGEMENT = (
    "That is good to hear, and it fits with what you have told me about the last weeks. There is nothing that has to "
    "be done about it today, and it changes none of the plans that we made."
)
THANKS_MESSAGES = ("Thanks!", "ok, good", "Thank you, great!", "Yes", "Perfect, thanks")

# The facts before the chat, as for a person who has used the assistant for a while.
INITIAL_FACTS: Sequence[tuple[Category, str, str | None]] = (
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
ORDERS: Sequence[tuple[str, str]] = (
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
# Mentioned in passing, so that a card asks; the next message is a yes.
CARDS: Sequence[tuple[str, str, str]] = (
    ("By the way, my brother Rui moved to Braga last week.", "person", "Rui, the user's brother, lives in Braga"),
    ("I have started to learn Danish, half an hour a day.", "hobby", "The user learns Danish for half an hour a day"),
    ("Our cat Bolo only eats the dry food from the vet.", "other", "The cat Bolo only eats the dry food from the vet"),
    ("From January on I have Fridays off.", "occupation", "The user has Fridays off from January on"),
)
# Beginning of the fact, the message, and the new words.
CHANGES: Sequence[tuple[str, str, str]] = (
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
FORGET_ORDERS: Sequence[str] = (
    "The password book lies in the blue box in the hallway cupboard",
    "Paulo from accounting handles all travel claims",
    "The bicycle of Clara has 24 inch wheels",
)


@dataclass(frozen=True)
class ScriptedTurn:
    words: str
    script: tuple[Step | Thought, ...]
    """Empty if the program answers by itself, for a yes to a card."""
    kind: str
    pause: float
    """Seconds since the previous turn."""


def history_before(conversations: Sequence[Conversation]) -> Conversation:
    """Return the first half of the first conversation, which takes place before the chat."""
    first = conversations[0]
    return {**first, "sessions": first["sessions"][: len(first["sessions"]) // 2]}


def scripted_chat(
    conversations: Sequence[Conversation], turns: int, pace: float, seed: int = SEED
) -> list[ScriptedTurn]:
    """Continue the first conversation from its second half, with questions about all of it."""
    chance = Random(seed)
    first, *others = conversations
    rest = [{**first, "sessions": first["sessions"][len(first["sessions"]) // 2 :]}, *others]
    messages, questions, replies = _messages(rest), _questions(first, chance), _replies(rest, chance)
    thanks = cycle(THANKS_MESSAGES)
    writes = _writes()
    chat: list[ScriptedTurn] = []
    next_write = chance.randrange(2, WRITE_INTERVAL)
    while len(chat) < turns:
        pause = chance.uniform(pace / 2, pace * 3 / 2)
        if len(chat) >= next_write and (written := next(writes, None)):
            words, call, kind = written
            reply = ACKNOWLEDGEMENT if kind == "asked" else next(replies)
            chat.append(ScriptedTurn(words, (call, Says((reply,))), kind, pause))
            if kind == "asked" and len(chat) < turns:
                chat.append(ScriptedTurn("Yes, please.", (), "yes", pause / 2))
            next_write += chance.randrange(WRITE_INTERVAL - 3, WRITE_INTERVAL + 4)
            continue
        draw = chance.random()
        if draw < QUESTIONS:
            words = next(questions)
            looked_up = Calls("search_memory", {"query": words})
            script = (looked_up,) if chance.random() < LOOKUPS else ()
            chat.append(ScriptedTurn(words, (*script, Says((next(replies),))), "question", pause))
        elif draw < QUESTIONS + THANKS:
            chat.append(ScriptedTurn(next(thanks), (Says((next(replies),)),), "thanks", pause))
        else:
            chat.append(ScriptedTurn(next(messages), (Says((next(replies),)),), "talk", pause))
    return chat


def _writes() -> Iterator[tuple[str, Step | Thought, str]]:
    """Yield writes in turn: mostly orders, then cards and changes, and sometimes something to forget."""
    ordered, asked, changed, forgotten = iter(ORDERS), iter(CARDS), iter(CHANGES), iter(FORGET_ORDERS)
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
    """Call a tool with the id of a fact, which the scripted model reads in its prompt."""

    def think(request: dict[str, Any]) -> Step:
        prompt = "\n".join(
            [request["system"][-1]["text"], *(block.get("text", "") for block in request["messages"][-1]["content"])]
        )
        found = re.findall(rf"\[id:(\w{{8}})\] (?:\[[^]]*\] )?{re.escape(begin)}", prompt)
        return Calls(tool, {"memory_id": found[-1] if found else "notfound", **arguments})

    return think


def _messages(conversations: Sequence[Conversation]) -> Iterator[str]:
    """Cycle through what the first speakers say, if it has the length of a message."""
    return cycle(
        [
            turn["text"]
            for conversation in conversations
            for session in conversation["sessions"]
            for turn in session["turns"]
            if turn["speaker"] == conversation["speakers"][0]
            and MIN_MESSAGE <= len(turn["text"].encode()) / BYTES_A_TOKEN <= MAX_MESSAGE
        ]
    )


def _questions(conversation: Conversation, chance: Random) -> Iterator[str]:
    questions = [each["text"] for each in conversation["questions"] if each["category"] != ADVERSARIAL]
    chance.shuffle(questions)
    return cycle(questions)


def _replies(conversations: Sequence[Conversation], chance: Random) -> Iterator[str]:
    """Join what the other speakers say to texts of the length of a reply."""
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
        size = int(chance.triangular(least, most, usual)) * BYTES_A_TOKEN
        reply = next(words)
        while len(reply.encode()) < size:
            reply = f"{reply} {next(words)}"
        yield reply.encode()[:size].decode("utf-8", "ignore").strip()
