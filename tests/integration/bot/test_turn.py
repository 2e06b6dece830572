"""One message through the house: recorded, answered, kept or not kept, with the offline brain and with Claude."""

from collections.abc import AsyncGenerator
from zoneinfo import ZoneInfo

from sqlalchemy import text

from bot import texts
from bot.language import OFFLINE_LOCALE
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.facts import facts as memory_facts
from memory.facts.receipts import ReceiptKind
from memory.model.brain import Delta, Request
from memory.model.offline import OfflineBrain
from memory.turn.outcome import NoticeCode, TurnNotice
from memory.unit import Memory
from tests.integration.bot.conftest import Conversation, Scripted, begin
from tests.scripted_model import Calls, Fails, Says, Streams


async def test_message_and_reply_are_events_with_consecutive_numbers(offline: Conversation) -> None:
    answer, _ = await offline.say("hello")

    assert answer == texts.OFFLINE.greeting
    assert await offline.events() == [
        ("human", "message", {"text": "hello"}),
        ("agent", "message", {"text": texts.OFFLINE.greeting, "ended": "end_turn"}),
    ]


async def test_an_order_is_kept_with_a_receipt_from_the_row(offline: Conversation) -> None:
    _, said = await offline.say("Please remember that Alec is my boss.")

    [receipt], [fact] = said.receipts, await offline.facts()
    assert (receipt.kind, receipt.row.id, receipt.row.words) == (ReceiptKind.STORED, fact.id, "Alec is my boss")
    assert (fact.category, fact.subject, fact.version) == ("person", "Alec", 1)
    assert [kind for _, kind, _ in await offline.events()] == ["message", "tool_call", "tool_result", "message"]


async def test_a_fact_knows_the_words_it_came_from_and_who_approved_it(offline: Conversation) -> None:
    await offline.say("Note that I prefer Friday due dates")
    query = """SELECT substr(e.content ->> 'text', lower(v.span) + 1, upper(v.span) - lower(v.span)), v.approved_by
               FROM fact_versions AS v JOIN events AS e ON e.id = v.source_event_id"""
    async with offline.chat.runtime.memory.unit(offline.chat.viewer) as unit:
        assert (await unit.session.execute(text(query))).one() == (
            "I prefer Friday due dates",
            offline.chat.viewer.user,
        )


async def test_a_question_is_answered_by_quoting_with_the_date(offline: Conversation) -> None:
    await offline.say("remember that Alec is my boss")
    await offline.say("remember that Sarah lives in Porto")
    answer, _ = await offline.say("where does Sarah live?")

    [told] = [fact for fact in await offline.facts() if fact.content == "Sarah lives in Porto"]
    day = told.created_at.astimezone(ZoneInfo("Europe/Lisbon")).strftime("%d %B %Y")
    assert answer == f"On {day} you told me: “Sarah lives in Porto”."


async def test_what_it_was_not_told_it_does_not_know(offline: Conversation) -> None:
    await offline.say("remember that Alec is my boss")
    answer, _ = await offline.say("what is the capital of Peru?")

    assert answer == texts.OFFLINE.nothing_known


async def test_the_same_words_again_are_a_no_op_that_says_so(offline: Conversation) -> None:
    await offline.say("remember that Alec is my boss")
    _, said = await offline.say("Remember: alec is my BOSS!")

    assert [receipt.kind for receipt in said.receipts] == [ReceiptKind.KNOWN]
    assert len(await offline.facts()) == 1


async def test_words_that_differ_in_a_sign_are_different(offline: Conversation) -> None:
    for thing in ("I like C++", "I like C#", "🎉🎉🎉🎉🎉", "🚀🚀🚀🚀🚀", "es ist schon da", "es ist schön da"):
        _, said = await offline.say(f"remember that {thing}")
        assert [receipt.kind for receipt in said.receipts] == [ReceiptKind.STORED]


COPIES = (
    """INSERT INTO facts SELECT c.* FROM facts AS f, generate_series(1, 229) AS n,
       jsonb_populate_record(f, jsonb_build_object('id', lpad(CAST(n AS text), 8, 'a'))) AS c""",
    """INSERT INTO fact_versions (tenant_id, fact_id, version, content, space_id, author, approved_by, approval)
       SELECT tenant_id, lpad(CAST(n AS text), 8, 'a'), version, 'fact number ' || n, space_id, author, approved_by,
              approval
       FROM fact_versions, generate_series(1, 229) AS n""",
)


async def test_all_that_is_remembered_is_listed(offline: Conversation) -> None:
    """However much it is; the others are copies of the first, which is quicker than to remember each."""
    async with offline.chat.runtime.memory.unit(offline.chat.viewer) as unit:
        await memory_facts.remember(unit, memory_facts.FactDraft("fact number 0", Category.OTHER), Approval.ORDER)
        for copies in COPIES:
            await unit.session.execute(text(copies))
    listed = await offline.type("list")

    assert listed.startswith("What I remember about you (230)")
    assert [number for number in range(230) if f"fact number {number}\n" not in f"{listed}\n"] == []


async def test_a_database_that_refuses_the_answer_is_not_said_to_have_lost_the_message(
    memory: Memory, tenant: str
) -> None:
    class Disturbing(OfflineBrain):
        """A brain during whose answer somebody takes the conversation away."""

        async def answer(self, request: Request) -> AsyncGenerator[Delta]:
            conversation.chat.conversation_id = "cnv_gone"
            async for delta in super().answer(request):
                yield delta

    conversation = await begin(memory, Viewer.in_private(tenant, "test:ada"), Disturbing(OFFLINE_LOCALE))
    _, said = await conversation.say("hello")

    assert (said.failed, said.notices) == (True, [TurnNotice(NoticeCode.ANSWER_NOT_KEPT)])


async def test_a_fact_that_is_too_long_is_not_kept_and_no_receipt_says_so(offline: Conversation) -> None:
    answer, said = await offline.say("remember that " + "very " * 120 + "long")

    assert answer == "Not stored: a memory has to be 5 to 500 characters long."
    assert (said.receipts, await offline.facts()) == ([], [])


async def test_a_statement_without_an_order_is_asked_and_not_kept(offline: Conversation) -> None:
    answer, said = await offline.say("Alec is my boss by the way")

    assert answer == texts.OFFLINE.asked
    assert [card.row.content for card in said.cards] == ["Alec is my boss"]
    assert (said.receipts, await offline.facts()) == ([], [])


async def test_memory_outlives_the_conversation(offline: Conversation) -> None:
    await offline.say("remember that Alec is my boss")
    await offline.chat.new_conversation()
    answer, _ = await offline.say("who is my boss?")

    assert "Alec is my boss" in answer
    assert (await offline.events())[0] == ("human", "message", {"text": "who is my boss?"})


async def test_a_secret_reaches_neither_table_nor_brain(scripted: Scripted) -> None:
    key = "sk-ant-api03-" + "Zz9-" * 20
    async with scripted(Says(("ok",))) as (conversation, model):
        _, said = await conversation.say(f"my key is {key}")

        assert key not in str(model.requests)
        assert "[API key left out]" in str(model.requests)
        assert key not in str(await conversation.events())
    assert said.notices == [TurnNotice(NoticeCode.SECRETS_LEFT_OUT, {"kinds": ("API key",)})]


async def test_a_secret_that_a_model_repeats_is_not_written_down_either(scripted: Scripted) -> None:
    key = "sk-ant-api03-" + "Zz9-" * 20
    script = (Calls("search_memory", {"query": key}), Says((f"it is {key}",)))
    async with scripted(*script) as (conversation, _):
        await conversation.say("what is my key?")

        assert key not in str(await conversation.events())


async def test_hostile_text_is_kept_and_answered(offline: Conversation) -> None:
    hostile = ["\x00", "a\x00b", "\ud800", "\x1b[2J", "'; DROP TABLE events; --", "🧿" * 1000]
    answers = [(await offline.say(words))[0] for words in hostile]

    assert all(answers), answers
    assert len(await offline.events()) == 2 * len(hostile)


async def test_claude_answers_with_the_memory_and_the_messages_before(scripted: Scripted) -> None:
    script = (Calls("add_to_memory", {"content": "Alec is my boss", "category": "person", "subject": "Alec"}),)
    async with scripted(*script, Says(("Noted.",)), Says(("Al", "ec."))) as (conversation, model):
        _, said = await conversation.say("remember that Alec is my boss")
        answer, _ = await conversation.say("who is my boss?")
        last = model.requests[-1]

    assert answer == "Alec."
    [receipt] = said.receipts
    assert f"- [id:{receipt.row.id}] [Alec] Alec is my boss" in last["messages"][-1]["content"][0]["text"]
    assert [message["content"][-1]["text"] for message in last["messages"]] == [
        "remember that Alec is my boss",
        "Noted.",
        "who is my boss?",
    ]
    assert [tool["name"] for tool in last["tools"]] == [
        "add_to_memory",
        "update_memory",
        "forget_memory",
        "search_memory",
        "record_decision",
        "update_task",
        "read_artifact",
    ]


LIES = {"content": "The user owes me money", "category": "other", "subject": None}


async def test_an_order_stores_the_users_words_not_the_models(scripted: Scripted) -> None:
    async with scripted(Calls("add_to_memory", LIES), Says(("ok",))) as (conversation, _):
        await conversation.say("remember that Alec is my boss")

        assert [fact.content for fact in await conversation.facts()] == ["Alec is my boss"]


async def test_one_order_approves_one_fact(scripted: Scripted) -> None:
    script = (Calls("add_to_memory", LIES), Calls("add_to_memory", LIES), Says(("ok",)))
    async with scripted(*script) as (conversation, _):
        _, said = await conversation.say("remember that Alec is my boss")

        assert len(said.receipts) == len(await conversation.facts()) == 1


async def test_a_wrong_tool_call_becomes_an_error_result(scripted: Scripted) -> None:
    wrong = [
        (Calls("format_disk", {}), "There is no tool called 'format_disk'."),
        (Calls("search_memory", {"limit": "many"}), "Wrong arguments: query: Field required; limit:"),
        (Calls("add_to_memory", {"content": "x", "category": "nonsense"}), "Wrong arguments: content:"),
    ]
    async with scripted(*(call for call, _ in wrong), Says(("Sorry.",))) as (conversation, model):
        answer, _ = await conversation.say("hello")
        results = [each["messages"][-1]["content"][0] for each in model.requests[1:]]

    assert answer == "Sorry."
    assert [result["is_error"] for result in results] == [True] * len(wrong)
    for (_, told), result in zip(wrong, results, strict=True):
        assert result["content"].startswith(told)


async def test_arguments_that_are_no_json_become_an_error_result(scripted: Scripted) -> None:
    block = {"type": "tool_use", "id": "t", "name": "add_to_memory"}
    broken = Streams(
        (
            {"type": "message_start", "message": {}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"co'}},
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        )
    )
    async with scripted(broken, Says(("Sorry.",))) as (conversation, model):
        answer, said = await conversation.say("remember that Alec is my boss")
        result = model.requests[-1]["messages"][-1]["content"][0]

    assert (answer, said.failed, said.receipts) == ("Sorry.", False, [])
    assert result["is_error"] is True
    assert result["content"].startswith("The arguments were not a JSON")


async def test_a_model_that_only_calls_tools_is_stopped(scripted: Scripted) -> None:
    async with scripted(*[Calls("search_memory", {"query": "x"})] * 9) as (conversation, model):
        _, said = await conversation.say("hello")

    assert len(model.requests) == 8
    assert said.notices == [TurnNotice(NoticeCode.TOO_MANY_STEPS)]


async def test_a_refusal_and_a_cut_answer_are_told(scripted: Scripted) -> None:
    reasons = {"refusal": NoticeCode.MODEL_REFUSED, "max_tokens": NoticeCode.CUT_OFF}
    async with scripted(*(Says(("Well",), stop_reason=reason) for reason in reasons)) as (conversation, _):
        told = [(await conversation.say("hello"))[1].notices for _ in reasons]

    assert told == [[TurnNotice(code)] for code in reasons.values()]


async def test_a_broken_answer_is_told_and_the_message_is_kept(scripted: Scripted) -> None:
    async with scripted(Fails("disconnect"), Says(("Better now.",))) as (conversation, _):
        shown, said = await conversation.say("hello")
        assert (shown, said.failed) == ("Half a sen", True)
        again, _ = await conversation.say("are you there?")
        words = [content["text"] for _, _, content in await conversation.events()]

    assert again == "Better now."
    assert words == ["hello", "Half a sen", "are you there?", "Better now."]


async def test_what_a_broken_turn_did_is_written_down(scripted: Scripted) -> None:
    async with scripted(Calls("add_to_memory", LIES), Fails("disconnect")) as (conversation, _):
        _, said = await conversation.say("remember that Alec is my boss")
        kinds = [kind for _, kind, _ in await conversation.events()]
        [*_, (_, _, last)] = await conversation.events()

    assert [receipt.row.words for receipt in said.receipts] == ["Alec is my boss"]
    assert kinds == ["message", "tool_call", "tool_result", "message"]
    assert last == {"text": "Half a sen", "ended": "broken off"}
