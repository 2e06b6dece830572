"""The fake Telegram itself, against the real client of our program: it must behave where a bot can notice."""

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, ContextTypes, MessageHandler, filters

from tests.telegram import FakeTelegram, fake_telegram

pytestmark = pytest.mark.no_cover


def bot_of(telegram: FakeTelegram) -> Bot:
    return Bot(telegram.token, base_url=f"{telegram.url}/bot", base_file_url=f"{telegram.url}/file/bot")


async def test_a_person_is_answered_and_taps_a_button() -> None:
    async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Remember", callback_data="keep:1")]])
        await update.message.reply_text(f"You said {update.message.text}", reply_markup=keyboard)

    async def tapped(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("Kept")
        await update.callback_query.edit_message_text(f"Done: {update.callback_query.data}")

    async with fake_telegram() as telegram:
        application = (
            Application.builder()
            .token(telegram.token)
            .base_url(f"{telegram.url}/bot")
            .base_file_url(f"{telegram.url}/file/bot")
            .build()
        )
        application.add_handler(MessageHandler(filters.TEXT, answer))
        application.add_handler(CallbackQueryHandler(tapped))
        ada = telegram.person(11, "Ada", username="ada")
        ada.say("hello")
        async with application:
            assert application.updater is not None
            await application.updater.start_polling(allowed_updates=Update.ALL_TYPES)
            await application.start()
            [first] = await telegram.until(ada.answers)
            assert (first.text, first.buttons) == ("You said hello", [[("Remember", "keep:1")]])

            tap = ada.tap(first, "Remember")
            await telegram.until(lambda: ada.answers()[0].text == "Done: keep:1")
            assert ada.answers()[0].edits == ["You said hello"]
            assert ada.answers()[0].buttons == []
            assert telegram.answer_to(tap) == {"text": "Kept", "show_alert": False}
            await application.updater.stop()
            await application.stop()
        assert telegram.pending == []
