"""The offline brain: rules over a request, no answers to fixed sentences."""

from bot.language import OFFLINE_LOCALE
from bot.texts import OFFLINE
from memory.model.brain import Delta, Finished, Message, Request, Text, TextDelta, ToolUse
from memory.model.offline import OfflineBrain
from tests.made_up_language import languages_of
from tests.tables import table


async def answer(words: str) -> list[Delta]:
    request = Request("", "", (Message("user", (Text(words),)),))
    return [delta async for delta in OfflineBrain(OFFLINE_LOCALE).answer(request)]


@table("greeting", ["hello", "Hi there!", "hola", "Hallo!", "bonjour", "Olá!", "привет", "مرحبا", "नमस्ते", "你好"])
async def test_it_greets_in_nine_languages(greeting: str) -> None:
    assert await answer(greeting) == [TextDelta(OFFLINE.greeting), Finished("end_turn")]


@table(
    ("words", "phrase"),
    [("help", OFFLINE.help), ("ayuda!", OFFLINE.help), ("thanks", OFFLINE.welcome), ("danke dir", OFFLINE.welcome)],
)
async def test_it_helps_and_is_polite(words: str, phrase: str) -> None:
    assert await answer(words) == [TextDelta(phrase), Finished("end_turn")]


@table(
    "question",
    ["who is my boss?", "where do I live", "¿dónde vivo?", "wo wohne ich", "我住在哪里？", "أين أسكن؟", "tea?"],
)
async def test_it_looks_for_the_answer_to_a_question(question: str) -> None:
    [look, _] = await answer(question)

    assert isinstance(look, ToolUse)
    assert (look.name, look.arguments["query"]) == ("search_memory", question)


@table(
    ("order", "category", "subject"),
    [
        ("remember that Alec is my boss", "person", "Alec"),
        ("remember that my sister Ana Maria lives in Porto", "person", "Ana Maria"),
        ("from now on I prefer tea", "preference", None),
        ("note that the project Apollo uses Python", "project", "Apollo"),
        ("remember that the bins go out on mondays", "context", None),
        ("remember that Tuesday is bin day", "context", None),
        ("remember that Москва is big", "context", "Москва"),
        ("remember that это важно", "context", None),
    ],
)
async def test_it_turns_an_order_into_a_tool_call(order: str, category: str, subject: str | None) -> None:
    [call, _] = await answer(order)

    assert isinstance(call, ToolUse)
    assert (call.arguments["category"], call.arguments.get("subject")) == (category, subject)


@table("statement", ["I had soup today", "...", "🧿", "a" * 100_000])
async def test_it_admits_that_it_only_keeps_what_it_is_told_to(statement: str) -> None:
    assert await answer(statement) == [TextDelta(OFFLINE.heard), Finished("end_turn")]


async def test_it_understands_a_language_that_is_one_file_of_words() -> None:
    with languages_of():
        assert await answer("hojo!") == [TextDelta(OFFLINE.greeting), Finished("end_turn")]
        assert await answer("helpzi") == [TextDelta(OFFLINE.help), Finished("end_turn")]
        assert await answer("mirka") == [TextDelta(OFFLINE.welcome), Finished("end_turn")]
        [look, _] = await answer("wozu mipo drako")
        [kept, _] = await answer("asidzi, Mipo mamzi blinka Alec, asidzi.")
        assert await answer("Mipo mamzi blinka Alec hodzi") == [TextDelta(OFFLINE.heard), Finished("end_turn")]

    assert isinstance(look, ToolUse)
    assert look.name == "search_memory"
    args = {"content": "Mipo mamzi blinka Alec", "category": "person", "subject": "Alec"}
    assert isinstance(kept, ToolUse)
    assert kept.arguments == args
