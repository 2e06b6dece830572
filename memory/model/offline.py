"""The brain that needs no model: obeys orders, asks what to keep, corrects what it knows, and answers by quoting.

It sees a request and nothing else, as Claude does, and acts through the same tools. It never claims to understand
more than it does. Its sentences are given to it, because what a user reads is written in the front end.
"""

import json
import re
from collections.abc import AsyncGenerator, Callable
from datetime import date

from db.vocabulary import Category
from memory.events.framing import unframed
from memory.facts.facts import LONGEST
from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.offline import OfflineWords
from memory.language.lexicon.time import Words
from memory.language.orders import Order, find_forget_orders, find_orders
from memory.language.terms import index_terms, query_terms, terms, words
from memory.model.brain import AGENT, Delta, Finished, Message, Request, Text, TextDelta, ToolResult, ToolUse
from memory.model.offline_phrases import Phrases, Voice

Facts = dict[str, tuple[str, str]]

QUESTION_MARKS = ("?", "？", "؟")
LONGEST_GREETING = 4
MOST_QUOTES = 3
LONGEST_STATEMENT = 200
ALIKE = 0.5
MOST_REPEATS = 2
LONGEST_REPEAT = 300

# A fact as it stands in a prompt, and as a tool names it.
FACT = re.compile(r"^- \[id:([A-Za-z0-9]{8})\] (?:\[([^\]]+)\] )?(.*?)(?: \(shared\))?$", re.MULTILINE)
EVIDENCE = re.compile(r"^- \[chk_\w+\] (\d{4}-\d\d-\d\d) (.+?): (.*)$", re.MULTILINE)
NAMED = re.compile(r"\[id:([A-Za-z0-9]{8})\] ([^;]*)")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@derived
def _greetings() -> frozenset[str]:
    return _folded(lambda each: each.greetings)


@derived
def _help() -> frozenset[str]:
    return _folded(lambda each: each.help)


@derived
def _thanks() -> frozenset[str]:
    return _folded(lambda each: each.thanks)


@derived
def _question_words() -> frozenset[str]:
    return _folded(lambda each: each.question_words)


@derived
def _no_names() -> frozenset[str]:
    return frozenset(word for each in languages().values() for word in each.offline.no_names)


@derived
def _corrects() -> re.Pattern[str]:
    return re.compile(_any_language(lambda each: each.corrects), re.IGNORECASE)


@derived
def _lasts() -> re.Pattern[str]:
    return re.compile(_any_language(lambda each: each.lasts), re.IGNORECASE)


@derived
def _passes() -> re.Pattern[str]:
    return re.compile(_any_language(lambda each: each.passes), re.IGNORECASE)


@derived
def _aside() -> re.Pattern[str]:
    opening, closing = _any_language(lambda each: each.opening_asides), _any_language(lambda each: each.closing_asides)
    return re.compile(rf"^(?:(?:{opening})[,!]?\s+)+|[,\s]+(?:{closing})(?=[.!\s]*$)", re.IGNORECASE)


@derived
def _hints() -> tuple[tuple[Category, re.Pattern[str]], ...]:
    """What tells of a category; the first that is found counts."""
    sources = (
        (Category.PREFERENCE, _any_language(lambda each: each.preference)),
        (Category.PROJECT, _any_language(lambda each: each.project)),
        (Category.OCCUPATION, _any_language(lambda each: each.occupation)),
        (Category.PERSON, _any_language(lambda each: each.person)),
    )
    return tuple((category, re.compile(source, re.IGNORECASE)) for category, source in sources)


def _folded(listed: Callable[[OfflineWords], Words]) -> frozenset[str]:
    """Words as they look after folding, which is how a message is compared with them."""
    return frozenset(word for each in languages().values() for word in words(" ".join(listed(each.offline))))


def _any_language(source: Callable[[OfflineWords], str]) -> str:
    sources = [source(each.offline) for each in languages().values()]
    return "|".join(each for each in sources if each != NEVER) or NEVER


class OfflineBrain:
    name = "offline"

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @property
    def _say(self) -> Phrases:
        return self._voice.phrases()

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """One answer by rules: results of tools first, then orders, greetings, questions, in this order."""
        last = request.messages[-1]
        results = [block for block in last.blocks if isinstance(block, ToolResult)]
        if results:
            asked = [block for block in request.messages[-2].blocks if isinstance(block, ToolUse)]
            for delta in self._after_tools(asked, results, _recalled(request)):
                yield delta
        else:
            for delta in self._to_message(_newest_words(last), _known_facts(request), declined=_was_declined(last)):
                yield delta

    async def close(self) -> None:
        """There is nothing to close."""

    def _to_message(self, message: str, known: Facts, *, declined: bool) -> list[Delta]:
        if orders := find_orders(message):
            return [*(_storing(number, order.words) for number, order in enumerate(orders)), Finished("tool_use")]
        if orders := find_forget_orders(message):
            return self._forgetting(orders, known)
        said = words(message)
        rest = [word for number, word in enumerate(said) if number or word not in _greetings() | _thanks()]
        if rest and (message.rstrip().endswith(QUESTION_MARKS) or rest[0] in _question_words()):
            look = ToolUse("offline_search", "search_memory", {"query": message[:2000], "limit": MOST_QUOTES})
            return [look, Finished("tool_use")]
        if 0 < len(said) <= LONGEST_GREETING:
            for listed, phrase in (
                (_greetings(), self._say.greeting),
                (_help(), self._say.help),
                (_thanks(), self._say.welcome),
            ):
                if said[0] in listed:
                    return [TextDelta(phrase), Finished("end_turn")]
        if declined:
            return [TextDelta(self._say.declined), Finished("end_turn")]
        if told := _telling(message, known):
            return [told, Finished("tool_use")]
        return [TextDelta(self._say.heard), Finished("end_turn")]

    def _forgetting(self, orders: list[Order], known: Facts) -> list[Delta]:
        """Each order means the fact that has most words in common with it."""
        calls: list[Delta] = []
        for number, order in enumerate(orders):
            shared = {id: len(set(terms(words)) & set(terms(order.words))) for id, (_, words) in known.items()}
            best = max(shared, key=lambda id: shared[id], default="")
            if best and shared[best]:
                calls.append(ToolUse(f"offline_forget_{number}", "forget_memory", {"memory_id": best}))
        return [*calls, Finished("tool_use")] if calls else [TextDelta(self._say.nothing_known), Finished("end_turn")]

    def _after_tools(self, asked: list[ToolUse], results: list[ToolResult], recalled: str) -> list[Delta]:
        if asked[0].name == "search_memory":
            question = str(asked[0].arguments["query"])
            answer = self._quoted(results[0]) or self._repeated(question, recalled) or self._say.nothing_known
            return [TextDelta(answer), Finished("end_turn")]
        again = [_once_more(call, result) for call, result in zip(asked, results, strict=True)]
        if calls := [call for call in again if call is not None]:
            return [*calls, Finished("tool_use")]
        if refused := [result.content for result in results if result.is_error]:
            return [TextDelta(self._voice.retold(refused[0])), Finished("end_turn")]
        if any(result.content.startswith("Not done yet") for result in results):
            return [TextDelta(self._say.asked), Finished("end_turn")]
        done = self._say.forgotten if asked[0].name == "forget_memory" else self._say.stored
        return [TextDelta(done), Finished("end_turn")]

    def _quoted(self, result: ToolResult) -> str:
        found = [] if result.is_error else json.loads(result.content)["facts"]
        quotes = [self._say.quote.format(day=self._day(fact["told_on"]), words=fact["content"]) for fact in found]
        return "\n".join(quotes)

    def _repeated(self, question: str, recalled: str) -> str:
        """What was said before, or stands in a document, and has at least half of the question's words."""
        asked = set(query_terms(question))
        quotes = [
            self._say.repeat.format(day=self._day(day), words=words[:LONGEST_REPEAT])
            for day, who, words in EVIDENCE.findall(recalled)
            if who != AGENT
            and not words.rstrip().endswith(QUESTION_MARKS)
            and 2 * len(asked.intersection(index_terms(words))) >= len(asked) > 0
        ]
        return "\n".join(quotes[:MOST_REPEATS])

    def _day(self, written: str) -> str:
        return self._voice.day(date.fromisoformat(written))


def _newest_words(message: Message) -> str:
    """Of messages that were never answered and stand together, the last: the one that is being answered."""
    return unframed(next((block.text for block in reversed(message.blocks) if isinstance(block, Text)), ""))


def _recalled(request: Request) -> str:
    """What the program found for the message that is being answered."""
    asked = [message for message in request.messages if message.role == "user"][-2:]
    texts = [block.text for message in asked for block in message.blocks if isinstance(block, Text)]
    return "\n".join(texts)


def _was_declined(message: Message) -> bool:
    return any(isinstance(block, Text) and "has just declined" in block.text for block in message.blocks[:-1])


def _known_facts(request: Request) -> Facts:
    """Id, subject and words of every fact in the prompt; what changed since stands later, and counts."""
    tail = [block.text for block in request.messages[-1].blocks[:-1] if isinstance(block, Text)]
    found = FACT.findall("\n".join([request.memory, *tail]))
    return {id: (subject, words) for id, subject, words in found}


def _telling(message: str, known: Facts) -> ToolUse | None:
    """A short statement: the correction of a fact that it names, or something that sounds as if it would last."""
    sentence = _aside().sub("", message.strip()).strip().rstrip(".!")
    if not 5 <= len(sentence) <= LONGEST_STATEMENT or "\n" in sentence:
        return None
    for id, (subject, content) in known.items():
        names_it = subject and set(terms(subject)) <= set(terms(sentence))
        if names_it and (_corrects().search(message) or _alike(content, sentence)):
            return ToolUse("offline_update", "update_memory", {"memory_id": id, "content": sentence})
    if _lasts().search(sentence) and not _passes().search(sentence):
        return _storing(0, sentence)
    return None


def _once_more(call: ToolUse, result: ToolResult) -> ToolUse | None:
    """A subject that is known: what is much like the known words changes them, anything else stands beside them."""
    if not result.is_error or "separate=true" not in result.content:
        return None
    content = str(call.arguments["content"])
    for id, words_of_it in NAMED.findall(result.content):
        if _alike(words_of_it, content):
            return ToolUse(f"{call.id}_update", "update_memory", {"memory_id": id, "content": content})
    return ToolUse(f"{call.id}_again", call.name, {**call.arguments, "separate": True})


def _alike(one: str, other: str) -> bool:
    first, second = set(terms(one)), set(terms(other))
    return first != second and len(first & second) >= ALIKE * len(first | second)


def _storing(number: int, content: str) -> ToolUse:
    name = _name_in(content)
    category = next((category for category, hint in _hints() if hint.search(content)), None)
    wish = {"content": content[:LONGEST], "category": category or Category.CONTEXT}
    return ToolUse(f"offline_add_{number}", "add_to_memory", wish | ({"subject": name} if name else {}))


def _name_in(text: str) -> str | None:
    """The first run of capitalised words that are not capitalised for another reason."""
    start = end = None
    for found in WORD.finditer(text):
        if found[0][0].isupper() and found[0] not in _no_names() and (end is None or text[end : found.start()] == " "):
            start, end = found.start() if start is None else start, found.end()
        elif end is not None:
            break
    return text[start:end] if end is not None else None
