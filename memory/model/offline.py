"""A brain without a model: carries out orders, proposes and corrects facts, and answers by quoting.

Like Claude, it sees only the request and acts through the same tools. The front end supplies its sentences.
"""

import json
import re
from collections.abc import AsyncGenerator, Callable
from datetime import date

from db.vocabulary import Category
from memory.events.framing import remove_frame
from memory.facts.facts import LONGEST, SubjectConflict
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.offline import OfflineWords
from memory.language.lexicon.time import Words
from memory.language.lexicon_cache import lexicon_cached
from memory.language.orders import Order, find_forget_orders, find_orders
from memory.language.terms import index_terms, query_terms, terms, words
from memory.model.brain import AGENT, Delta, Finished, Message, Request, Text, TextDelta, ToolResult, ToolUse
from memory.model.offline_phrases import OfflineLocale, Phrases

Facts = dict[str, tuple[str, str]]

QUESTION_MARKS = ("?", "？", "؟")
LONGEST_GREETING = 4
MAX_QUOTES = 3
LONGEST_STATEMENT = 200
SIMILAR = 0.5
MAX_REPEATS = 2
LONGEST_REPEAT = 300

# A fact in a prompt, and recalled evidence.
FACT = re.compile(r"^- \[id:([A-Za-z0-9]{8})\] (?:\[([^\]]+)\] )?(.*?)(?: \(shared\))?$", re.MULTILINE)
EVIDENCE = re.compile(r"^- \[chk_\w+\] (\d{4}-\d\d-\d\d) (.+?): (.*)$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@lexicon_cached
def _greetings() -> frozenset[str]:
    return _folded(lambda section: section.greetings)


@lexicon_cached
def _help() -> frozenset[str]:
    return _folded(lambda section: section.help)


@lexicon_cached
def _thanks() -> frozenset[str]:
    return _folded(lambda section: section.thanks)


@lexicon_cached
def _question_words() -> frozenset[str]:
    return _folded(lambda section: section.question_words)


@lexicon_cached
def _no_names() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.offline.no_names)


@lexicon_cached
def _corrects() -> re.Pattern[str]:
    return re.compile(_any_language(lambda section: section.corrects), re.IGNORECASE)


@lexicon_cached
def _lasts() -> re.Pattern[str]:
    return re.compile(_any_language(lambda section: section.lasts), re.IGNORECASE)


@lexicon_cached
def _passes() -> re.Pattern[str]:
    return re.compile(_any_language(lambda section: section.passes), re.IGNORECASE)


@lexicon_cached
def _aside() -> re.Pattern[str]:
    opening, closing = (
        _any_language(lambda section: section.opening_asides),
        _any_language(lambda section: section.closing_asides),
    )
    return re.compile(rf"^(?:(?:{opening})[,!]?\s+)+|[,\s]+(?:{closing})(?=[.!\s]*$)", re.IGNORECASE)


@lexicon_cached
def _hints() -> tuple[tuple[Category, re.Pattern[str]], ...]:
    """Patterns that hint at a category; the first match counts."""
    sources = (
        (Category.PREFERENCE, _any_language(lambda section: section.preference)),
        (Category.PROJECT, _any_language(lambda section: section.project)),
        (Category.OCCUPATION, _any_language(lambda section: section.occupation)),
        (Category.PERSON, _any_language(lambda section: section.person)),
    )
    return tuple((category, re.compile(source, re.IGNORECASE)) for category, source in sources)


def _folded(listed: Callable[[OfflineWords], Words]) -> frozenset[str]:
    """Words in tokenised form, to compare with a message's tokens."""
    phrases = (" ".join(listed(language.offline)) for language in languages().values())
    return frozenset(word for phrase in phrases for word in words(phrase))


def _any_language(source: Callable[[OfflineWords], str]) -> str:
    patterns = [source(language.offline) for language in languages().values()]
    return "|".join(pattern for pattern in patterns if pattern != NEVER) or NEVER


class OfflineBrain:
    name = "offline"

    def __init__(self, locale: OfflineLocale) -> None:
        self._locale = locale

    @property
    def _phrases(self) -> Phrases:
        return self._locale.phrases()

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Answer by rules: tool results first, then orders, questions, greetings and statements."""
        last = request.messages[-1]
        results = [block for block in last.blocks if isinstance(block, ToolResult)]
        if results:
            calls = [block for block in request.messages[-2].blocks if isinstance(block, ToolUse)]
            for delta in self._answer_results(calls, results, _recalled(request)):
                yield delta
        else:
            for delta in self._answer_message(_newest_words(last), _known_facts(request), declined=_was_declined(last)):
                yield delta

    async def close(self) -> None:
        """Nothing to close."""

    def _answer_message(self, message: str, known: Facts, *, declined: bool) -> list[Delta]:
        if orders := find_orders(message):
            return [*(_add_call(number, order.words) for number, order in enumerate(orders)), Finished("tool_use")]
        if orders := find_forget_orders(message):
            return self._forget_calls(orders, known)
        tokens = words(message)
        rest = [word for number, word in enumerate(tokens) if number or word not in _greetings() | _thanks()]
        if rest and (message.rstrip().endswith(QUESTION_MARKS) or rest[0] in _question_words()):
            search = ToolUse("offline_search", "search_memory", {"query": message[:2000], "limit": MAX_QUOTES})
            return [search, Finished("tool_use")]
        if 0 < len(tokens) <= LONGEST_GREETING:
            for listed, phrase in (
                (_greetings(), self._phrases.greeting),
                (_help(), self._phrases.help),
                (_thanks(), self._phrases.welcome),
            ):
                if tokens[0] in listed:
                    return [TextDelta(phrase), Finished("end_turn")]
        if declined:
            return [TextDelta(self._phrases.declined), Finished("end_turn")]
        if call := _call_for_statement(message, known):
            return [call, Finished("tool_use")]
        return [TextDelta(self._phrases.heard), Finished("end_turn")]

    def _forget_calls(self, orders: list[Order], known: Facts) -> list[Delta]:
        """For each order, forget the fact with the most words in common."""
        calls: list[Delta] = []
        for number, order in enumerate(orders):
            shared = {id: len(set(terms(words)) & set(terms(order.words))) for id, (_, words) in known.items()}
            best = max(shared, key=lambda id: shared[id], default="")
            if best and shared[best]:
                calls.append(ToolUse(f"offline_forget_{number}", "forget_memory", {"memory_id": best}))
        if not calls:
            return [TextDelta(self._phrases.nothing_known), Finished("end_turn")]
        return [*calls, Finished("tool_use")]

    def _answer_results(self, calls: list[ToolUse], results: list[ToolResult], recalled: str) -> list[Delta]:
        if calls[0].name == "search_memory":
            question = str(calls[0].arguments["query"])
            answer = (
                self._quote_facts(results[0]) or self._quote_evidence(question, recalled) or self._phrases.nothing_known
            )
            return [TextDelta(answer), Finished("end_turn")]
        retried_calls = [_retry_after_conflict(call, result) for call, result in zip(calls, results, strict=True)]
        if retries := [call for call in retried_calls if call is not None]:
            return [*retries, Finished("tool_use")]
        if failed := next((result for result in results if result.is_error), None):
            why = self._locale.translate_error(failed.refusal) if failed.refusal else failed.content
            return [TextDelta(why), Finished("end_turn")]
        if any(result.content.startswith("Not done yet") for result in results):
            return [TextDelta(self._phrases.asked), Finished("end_turn")]
        done = self._phrases.forgotten if calls[0].name == "forget_memory" else self._phrases.stored
        return [TextDelta(done), Finished("end_turn")]

    def _quote_facts(self, result: ToolResult) -> str:
        found = [] if result.is_error else json.loads(result.content)["facts"]
        quotes = [self._phrases.quote.format(day=self._day(fact["told_on"]), words=fact["content"]) for fact in found]
        return "\n".join(quotes)

    def _quote_evidence(self, question: str, recalled: str) -> str:
        """Quote recalled texts that have at least half of the question's words."""
        question_terms = set(query_terms(question))
        quotes = [
            self._phrases.repeat.format(day=self._day(day), words=words[:LONGEST_REPEAT])
            for day, who, words in EVIDENCE.findall(recalled)
            if who != AGENT
            and not words.rstrip().endswith(QUESTION_MARKS)
            and 2 * len(question_terms.intersection(index_terms(words))) >= len(question_terms) > 0
        ]
        return "\n".join(quotes[:MAX_REPEATS])

    def _day(self, iso_date: str) -> str:
        return self._locale.format_day(date.fromisoformat(iso_date))


def _newest_words(message: Message) -> str:
    """Return the newest message: several unanswered ones may share a turn."""
    return remove_frame(next((block.text for block in reversed(message.blocks) if isinstance(block, Text)), ""))


def _recalled(request: Request) -> str:
    """Return the texts of this turn, including the recalled evidence."""
    messages = [message for message in request.messages if message.role == "user"][-2:]
    texts = [block.text for message in messages for block in message.blocks if isinstance(block, Text)]
    return "\n".join(texts)


def _was_declined(message: Message) -> bool:
    return any(isinstance(block, Text) and "has just declined" in block.text for block in message.blocks[:-1])


def _known_facts(request: Request) -> Facts:
    """Return subject and words of every fact in the prompt, by id. Later changes override the snapshot."""
    tail = [block.text for block in request.messages[-1].blocks[:-1] if isinstance(block, Text)]
    found = FACT.findall("\n".join([request.memory, *tail]))
    return {id: (subject, words) for id, subject, words in found}


def _call_for_statement(message: str, known: Facts) -> ToolUse | None:
    """Return the tool call for a short statement: a correction of a known fact, or a new lasting one."""
    sentence = _aside().sub("", message.strip()).strip().rstrip(".!")
    if not 5 <= len(sentence) <= LONGEST_STATEMENT or "\n" in sentence:
        return None
    for id, (subject, content) in known.items():
        names_it = subject and set(terms(subject)) <= set(terms(sentence))
        if names_it and (_corrects().search(message) or _is_similar(content, sentence)):
            return ToolUse("offline_update", "update_memory", {"memory_id": id, "content": sentence})
    if _lasts().search(sentence) and not _passes().search(sentence):
        return _add_call(0, sentence)
    return None


def _retry_after_conflict(call: ToolUse, result: ToolResult) -> ToolUse | None:
    """Retry after a subject conflict: update a similar fact, or else add a separate one."""
    if not isinstance(result.refusal, SubjectConflict):
        return None
    content = str(call.arguments["content"])
    for row in result.refusal.rows:
        if _is_similar(row.words, content):
            return ToolUse(f"{call.id}_update", "update_memory", {"memory_id": row.id, "content": content})
    return ToolUse(f"{call.id}_again", call.name, {**call.arguments, "separate": True})


def _is_similar(one: str, other: str) -> bool:
    first, second = set(terms(one)), set(terms(other))
    return first != second and len(first & second) >= SIMILAR * len(first | second)


def _add_call(number: int, content: str) -> ToolUse:
    name = _name_in(content)
    category = next((category for category, hint in _hints() if hint.search(content)), None)
    arguments = {"content": content[:LONGEST], "category": category or Category.CONTEXT}
    return ToolUse(f"offline_add_{number}", "add_to_memory", arguments | ({"subject": name} if name else {}))


def _name_in(text: str) -> str | None:
    """Return the first run of capitalised words, without capitalised words that are no names."""
    start = end = None
    for found in WORD.finditer(text):
        if found[0][0].isupper() and found[0] not in _no_names() and (end is None or text[end : found.start()] == " "):
            start, end = found.start() if start is None else start, found.end()
        elif end is not None:
            break
    return text[start:end] if end is not None else None
