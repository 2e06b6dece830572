"""The methods of the Bot API that this server knows, written out."""

from collections.abc import Callable
from typing import Any

from tests.telegram import knowing, sending
from tests.telegram.request import Params
from tests.telegram.world import World

Method = Callable[[World, Params], Any]

METHODS: dict[str, Method] = {
    "getMe": knowing.get_me,
    "setMyCommands": knowing.set_my_commands,
    "getMyCommands": knowing.get_my_commands,
    "deleteMyCommands": knowing.delete_my_commands,
    "sendMessage": sending.send_message,
    "sendMessageDraft": sending.send_message_draft,
    "sendDocument": sending.send_document,
    "sendChatAction": sending.send_chat_action,
    "editMessageText": sending.edit_message_text,
    "editMessageCaption": sending.edit_message_caption,
    "editMessageReplyMarkup": sending.edit_message_reply_markup,
    "deleteMessage": sending.delete_message,
    "deleteMessages": sending.delete_messages,
    "setMessageReaction": sending.set_message_reaction,
    "answerCallbackQuery": knowing.answer_callback_query,
    "getFile": knowing.get_file,
    "getChat": knowing.get_chat,
    "getChatMember": knowing.get_chat_member,
    "getChatAdministrators": knowing.get_chat_administrators,
    "getChatMemberCount": knowing.get_chat_member_count,
    "leaveChat": knowing.leave_chat,
    "getMyName": knowing.get_my_name,
    "getMyDescription": knowing.get_my_description,
    "getMyShortDescription": knowing.get_my_short_description,
    "getChatMenuButton": knowing.get_chat_menu_button,
    "setChatMenuButton": knowing.set_chat_menu_button,
    "setMyName": knowing.just_true,
    "setMyDescription": knowing.just_true,
    "setMyShortDescription": knowing.just_true,
    "setMyDefaultAdministratorRights": knowing.just_true,
    "pinChatMessage": knowing.just_true,
    "unpinChatMessage": knowing.just_true,
    "unpinAllChatMessages": knowing.just_true,
    "logOut": knowing.just_true,
    "close": knowing.just_true,
}
LINES = ("getUpdates", "setWebhook", "deleteWebhook", "getWebhookInfo")
SPELLED = {name.lower(): name for name in (*METHODS, *LINES)}


def spelled(method: str) -> str:
    """The name of a method as the documentation writes it; a test that plans trouble for no method is wrong."""
    assert method.lower() in SPELLED, f"no method {method!r} here"
    return SPELLED[method.lower()]
