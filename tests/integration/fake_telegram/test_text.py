"""What the fake Telegram lets a bot write: lengths in UTF-16 units, entities, markup, keyboards, edits, files."""

import pytest
from telegram import Bot, ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import BadRequest
from telegramify_markdown import convert

from tests.tables import table
from tests.telegram import FakeTelegram, Person
from tests.telegram.entities import cut, found, units
from tests.telegram.markup import parsed


@pytest.fixture
def ada(telegram: FakeTelegram) -> Person:
    """Somebody who wrote first."""
    person = telegram.person(11, "Ada", username="ada")
    person.say("hello")
    return person


def marked(text: str, entities: list[dict[str, object]]) -> list[tuple[object, str]]:
    return [(one["type"], cut(text, int(str(one["offset"])), int(str(one["length"])))) for one in entities]


async def test_a_text_may_have_4096_units_of_utf_16(bot: Bot, ada: Person) -> None:
    await bot.send_message(ada.id, "😀" * 2048)
    for too_long in ("😀" * 2048 + "a", "a" * 4097):
        with pytest.raises(BadRequest, match="essage is too long"):
            await bot.send_message(ada.id, too_long)
    with pytest.raises(BadRequest, match="essage text is empty"):
        await bot.send_message(ada.id, "")
    with pytest.raises(BadRequest, match="must be non-empty"):
        await bot.send_message(ada.id, " \n ")

    assert [units(answer.text) for answer in ada.answers()] == [4096]


async def test_the_length_counts_after_the_markup_is_read(bot: Bot, ada: Person) -> None:
    await bot.send_message(ada.id, "<b>" + "a" * 4096 + "</b>", parse_mode="HTML")

    assert units(ada.answers()[0].text) == 4096


@table(
    "entities",
    [
        [MessageEntity("bold", 0, 10)],
        [MessageEntity("bold", 1, 1)],
        [MessageEntity("bold", 0, 5), MessageEntity("italic", 3, 5)],
    ],
)
async def test_a_wrong_entity_is_refused(bot: Bot, ada: Person, entities: list[MessageEntity]) -> None:
    with pytest.raises(BadRequest, match="an't parse entities"):
        await bot.send_message(ada.id, "😀 yes no", entities=entities)
    assert ada.answers() == []


async def test_entities_stand_where_they_were_put_and_found_ones_are_added(bot: Bot, ada: Person) -> None:
    outer, inner = MessageEntity("bold", 0, 6), MessageEntity("italic", 3, 3)
    message = await bot.send_message(ada.id, "😀 yes, see /memory  ", entities=[outer, inner])

    assert message.text == "😀 yes, see /memory"
    assert [one["type"] for one in ada.answers()[0].entities] == ["bold", "italic"]
    assert message.parse_entities(["bot_command"]) == {message.entities[2]: "/memory"}


def test_commands_mentions_and_hashtags_are_found_as_telegram_finds_them() -> None:
    text = "😀 /start@keepsake_test_bot @ada_l #tea https://a.b/c?d=/e. a/b x@y.org #12"

    assert marked(text, found(text)) == [
        ("bot_command", "/start@keepsake_test_bot"),
        ("mention", "@ada_l"),
        ("hashtag", "#tea"),
        ("url", "https://a.b/c?d=/e"),
        ("email", "x@y.org"),
    ]


@table(
    ("mode", "text", "bare", "marks"),
    [
        ("HTML", "a <b>b <i>c</i></b> &lt;d&gt;", "a b c <d>", {("bold", "b c"), ("italic", "c")}),
        ("HTML", '<pre><code class="language-py">x</code></pre>', "x", {("pre", "x"), ("code", "x")}),
        (
            "HTML",
            '<a href="https://a.b">😀</a> <tg-spoiler>s</tg-spoiler>',
            "😀 s",
            {("text_link", "😀"), ("spoiler", "s")},
        ),
        ("MarkdownV2", r"*b _i_* __u__ ~s~ ||p|| 1\.", "b i u s p 1.", None),
        ("MarkdownV2", "```py\nx.y()\n```", "x.y()\n", {("pre", "x.y()\n")}),
        ("MarkdownV2", r"[a](https://b.c/\)d) `e.`", "a e.", {("text_link", "a"), ("code", "e.")}),
        ("MarkdownV2", ">one\n>two\nthree", "one\ntwo\nthree", {("blockquote", "one\ntwo")}),
        ("MarkdownV2", "**>one\n>two||", "one\ntwo", {("expandable_blockquote", "one\ntwo")}),
        ("Markdown", "*b* _i_ [a](https://b.c) 1.", "b i a 1.", {("bold", "b"), ("italic", "i"), ("text_link", "a")}),
    ],
)
def test_markup_is_read(mode: str, text: str, bare: str, marks: set[tuple[str, str]] | None) -> None:
    read, entities = parsed(text, mode)

    assert read == bare
    assert marks is None or set(marked(read, entities)) == marks


@table(
    ("mode", "text", "why"),
    [
        ("HTML", "<b>a", "end tag corresponding to start tag"),
        ("HTML", "a < b", "Unclosed start tag at byte offset 2"),
        ("HTML", "<b><i>a</b></i>", "Unmatched end tag"),
        ("HTML", "<h1>a</h1>", "Unsupported start tag"),
        ("MarkdownV2", "*a", "Can't find end of Bold entity at byte offset 0"),
        ("MarkdownV2", "1.", "Character '.' is reserved"),
        ("MarkdownV2", "[a](b", "end of a URL"),
        ("MarkdownV2", "```x", "Can't find end of Pre entity"),
        ("Markdown", "snake_case", "Can't find end of the entity"),
    ],
)
async def test_broken_markup_is_refused(bot: Bot, ada: Person, mode: str, text: str, why: str) -> None:
    with pytest.raises(BadRequest, match="an't parse entities") as refused:
        await bot.send_message(ada.id, text, parse_mode=mode)
    assert why.lower() in str(refused.value)  # the client tells only the first letter large


async def test_what_our_converter_makes_is_accepted(bot: Bot, ada: Person) -> None:
    text, entities = convert(
        "# Tea 😀\n\n- **one** _two_\n- `three`\n\n> quoted\n\n```py\nx = 1\n```\n[a](https://b.c)"
    )
    await bot.send_message(ada.id, text, entities=[MessageEntity(**one.to_dict()) for one in entities])

    assert {one["type"] for one in ada.answers()[0].entities} >= {"bold", "italic", "code", "pre", "text_link"}


async def test_buttons_are_limited_and_a_forced_reply_is_kept(bot: Bot, ada: Person) -> None:
    with pytest.raises(BadRequest, match="utton_data_invalid"):
        await bot.send_message(
            ada.id, "?", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="ж" * 33)]])
        )
    await bot.send_message(ada.id, "What then?", reply_markup=ForceReply(input_field_placeholder="say"))

    [answer] = ada.answers()
    assert answer.buttons == []
    assert answer.markup is not None
    assert answer.markup["input_field_placeholder"] == "say"


async def test_a_reply_needs_the_message_it_replies_to(bot: Bot, ada: Person) -> None:
    said = ada.say("a question about tea")
    await bot.send_message(ada.id, "an answer", reply_parameters=ReplyParameters(said.message_id, quote="tea"))
    with pytest.raises(BadRequest, match="to be replied not found"):
        await bot.send_message(ada.id, "an answer", reply_to_message_id=99)
    await bot.send_message(ada.id, "an answer", reply_to_message_id=99, allow_sending_without_reply=True)
    ada.delete(said)
    with pytest.raises(BadRequest, match="to be replied not found"):
        await bot.send_message(ada.id, "too late", reply_to_message_id=said.message_id)

    assert [answer.reply_to for answer in ada.answers()] == [said.message_id, None]


async def test_an_edit_must_change_something_of_ones_own(bot: Bot, ada: Person) -> None:
    said = ada.say("mine")
    sent = await bot.send_message(ada.id, "before")
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("a", callback_data="b")]])
    await bot.edit_message_text("after", ada.id, sent.message_id, reply_markup=keyboard)
    with pytest.raises(BadRequest, match="essage is not modified"):
        await bot.edit_message_text("after ", ada.id, sent.message_id, reply_markup=keyboard)
    await bot.edit_message_reply_markup(ada.id, sent.message_id)
    with pytest.raises(BadRequest, match="essage is not modified"):
        await bot.edit_message_reply_markup(ada.id, sent.message_id)
    with pytest.raises(BadRequest, match="to edit not found"):
        await bot.edit_message_text("after", ada.id, 99)
    with pytest.raises(BadRequest, match="can't be edited"):
        await bot.edit_message_text("after", ada.id, said.message_id)

    [answer] = ada.answers()
    assert (answer.text, answer.edits, answer.buttons) == ("after", ["before"], [])
    await bot.delete_message(ada.id, sent.message_id)
    assert ada.answers() == []
    with pytest.raises(BadRequest, match="to delete not found"):
        await bot.delete_message(ada.id, sent.message_id)


async def test_a_draft_is_shown_in_private_only_and_has_a_number(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    team = telegram.group(-100500, "Team", members=[ada])
    await bot.send_message_draft(ada.id, 7, "I am thin")
    with pytest.raises(BadRequest, match="raft_id must be non-zero"):
        await bot.send_message_draft(ada.id, 0, "I am thin")
    with pytest.raises(BadRequest, match="too long"):
        await bot.send_message_draft(ada.id, 7, "a" * 4097)
    with pytest.raises(BadRequest, match="private"):
        await bot.send_message_draft(team.id, 7, "I am thin")

    assert [(draft.draft_id, draft.text) for draft in telegram.drafts(ada.id)] == [(7, "I am thin")]
    assert ada.answers() == []


async def test_a_query_is_answered_once(bot: Bot, ada: Person) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])
    await bot.send_message(ada.id, "Really?", reply_markup=keyboard)
    [question] = ada.answers()
    with pytest.raises(AssertionError, match="No button 'No' there; the message shows"):
        ada.tap(question, "No")
    tap = ada.tap(question, "Yes")
    query = (await bot.get_updates())[-1].callback_query
    assert query is not None
    assert (query.id, query.data, query.from_user.first_name) == (tap.id, "y", "Ada")

    await bot.answer_callback_query(tap.id)
    for stale in (tap.id, "99"):
        with pytest.raises(BadRequest, match="uery is too old"):
            await bot.answer_callback_query(stale)


async def test_files_go_both_ways(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    ada.send_document("notes.txt", "ünï".encode(), caption="my #notes")
    ada.send_document("film.mkv", b"", size=21 * 1024 * 1024)
    first, second = (update.message for update in (await bot.get_updates())[1:])
    assert first is not None
    assert first.document is not None
    assert (first.caption, first.document.file_name) == ("my #notes", "notes.txt")
    assert first.parse_caption_entities() == {first.caption_entities[0]: "#notes"}
    assert bytes(await (await first.document.get_file()).download_as_bytearray()) == "ünï".encode()
    assert second is not None
    assert second.document is not None
    with pytest.raises(BadRequest, match="ile is too big"):
        await second.document.get_file()

    await bot.send_document(ada.id, b"all of it", filename="export.json", caption="*Yours*", parse_mode="MarkdownV2")
    [answer] = ada.answers()
    assert answer.document is not None
    assert (answer.document.name, answer.document.content, answer.text) == ("export.json", b"all of it", "Yours")
    await bot.edit_message_caption(ada.id, answer.message_id, caption="Mine")
    assert ada.answers()[0].text == "Mine"
