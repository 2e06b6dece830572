"""The methods by which a bot writes: messages, drafts, edits, documents, reactions."""

from typing import Any

from tests.telegram.addresses import check_app, check_url
from tests.telegram.chats import Chat, Draft, Json, Standing
from tests.telegram.entities import LONGEST_CAPTION, LONGEST_TEXT, Entity, checked, trimmed, units
from tests.telegram.markup import parsed
from tests.telegram.request import Params, Upload, bad
from tests.telegram.world import World, mark

MAX_BUTTONS = 100
LONGEST_DATA = 64
SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
ACTIONS = frozenset(
    "typing upload_photo record_video upload_video record_voice upload_voice upload_document choose_sticker "
    "find_location record_video_note upload_video_note".split()
)


def send_message(world: World, params: Params) -> Json:
    chat = world.open_chat(params)
    text, given = written(params, "text", "entities", LONGEST_TEXT)
    return sent_by_bot(world, chat, params, {"text": text}, given).message


def send_document(world: World, params: Params) -> Json:
    chat = world.open_chat(params)
    upload = params.get("document")
    if isinstance(upload, str) and upload in world.files:
        kept = world.files[upload]
        upload = Upload(kept.path.rpartition("/")[2], kept.content)
    if not isinstance(upload, Upload):
        raise bad("there is no document in the request")
    if not upload.content:
        raise bad("file must be non-empty")
    caption, given = written(params, "caption", "caption_entities", LONGEST_CAPTION, needed=False)
    document = {**world.store(upload.content, upload.name), "file_name": upload.name, "mime_type": upload.mime}
    content = {"document": document, **({"caption": caption} if caption else {})}
    standing = sent_by_bot(world, chat, params, content, given)
    standing.document = upload
    return standing.message


def send_message_draft(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    if not chat.private:
        raise bad("chat must be private")
    if not params.number("draft_id"):
        raise bad("draft_id must be non-zero")
    text, given = written(params, "text", "entities", LONGEST_TEXT, needed=False)
    chat.drafts.append(Draft(params.number("draft_id"), text, given, world.clock()))
    return True


def edit_message_text(world: World, params: Params) -> Json:
    standing = own_message(world, params)
    if "text" not in standing.message:
        raise bad("there is no text in the message to edit")
    text, given = written(params, "text", "entities", LONGEST_TEXT)
    preview = preview_options(params)
    message = edited(world, standing, keyboard(standing.private, params, inline_only=True), text, given)
    message.pop("link_preview_options", None)
    message.update(preview)  # what is not said anew is forgotten
    return message


def edit_message_caption(world: World, params: Params) -> Json:
    standing = own_message(world, params)
    if "document" not in standing.message:
        raise bad("there is no caption in the message to edit")
    caption, given = written(params, "caption", "caption_entities", LONGEST_CAPTION, needed=False)
    return edited(world, standing, keyboard(standing.private, params, inline_only=True), caption, given)


def edit_message_reply_markup(world: World, params: Params) -> Json:
    standing = own_message(world, params)
    return edited(world, standing, keyboard(standing.private, params, inline_only=True), standing.text, standing.given)


def delete_message(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    standing = chat.messages.get(params.number("message_id"))
    if standing is None:
        raise bad("message to delete not found")
    own = standing.message["from"]["id"] == world.bot.id
    if not own and not chat.private and chat.members.get(world.bot.id) != "administrator":
        raise bad("message can't be deleted")
    del chat.messages[standing.message["message_id"]]
    return True


def delete_messages(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    for message_id in params.rows("message_ids"):
        if message_id in chat.messages:
            delete_message(world, Params(chat_id=chat.id, message_id=message_id))
    return True


def send_chat_action(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    if params.words("action") not in ACTIONS:
        raise bad("wrong parameter action in request")
    chat.actions.append((params.words("action"), world.clock()))
    return True


def set_message_reaction(world: World, params: Params) -> bool:
    chat = world.open_chat(params)
    message_id = params.number("message_id")
    if message_id not in chat.messages:
        raise bad("message to react not found")
    chat.reactions[message_id] = [one.get("emoji", one["type"]) for one in params.rows("reaction")]
    return True


def written(params: Params, words: str, marks: str, longest: int, *, needed: bool = True) -> tuple[str, list[Entity]]:
    """Text and marks as they will stand, or the reason why they will not."""
    raw = params.words(words)
    if not raw and needed:
        raise bad("message text is empty")
    mode = params.words("parse_mode")
    text, given = parsed(raw, mode) if mode else (raw, params.rows(marks))
    text, given = trimmed(text, checked(text, given))
    if not text and needed:
        raise bad("text must be non-empty")
    if units(text) > longest:
        raise bad("message is too long" if words == "text" else "message caption is too long")
    return text, given


def sent_by_bot(world: World, chat: Chat, params: Params, content: Json, given: list[Entity]) -> Standing:
    markup = keyboard(chat.private, params)
    preview = preview_options(params)
    thread = params.number("message_thread_id") or None
    if thread is not None and thread not in chat.topics:
        raise bad("message thread not found")
    replied, quote = replied_by_bot(chat, params)
    if world.flood:
        world.limits.count(chat.id)
    protected = {"has_protected_content": True} if params.get("protect_content") else {}
    standing = world.post(
        chat,
        world.bot_user,
        {**content, **quote, **protected, **preview, **shown(markup)},
        thread=thread,
        replied=replied,
        given=given,
    )
    standing.markup = markup
    standing.silent = bool(params.get("disable_notification"))
    return standing


def replied_by_bot(chat: Chat, params: Params) -> tuple[Standing | None, Json]:
    wish = params.table("reply_parameters") or {
        "message_id": params.number("reply_to_message_id"),
        "allow_sending_without_reply": params.get("allow_sending_without_reply"),
    }
    if not wish.get("message_id"):
        return None, {}
    replied = chat.messages.get(wish["message_id"])
    if replied is None:
        if wish.get("allow_sending_without_reply"):
            return None, {}
        raise bad("message to be replied not found")
    quote = wish.get("quote")
    if not quote:
        return replied, {}
    if quote not in replied.text:
        raise bad("QUOTE_TEXT_INVALID")
    return replied, {"quote": {"text": quote, "position": units(replied.text[: replied.text.index(quote)])}}


def own_message(world: World, params: Params) -> Standing:
    chat = world.open_chat(params)
    standing = chat.messages.get(params.number("message_id"))
    if standing is None:
        raise bad("message to edit not found")
    if standing.message["from"]["id"] != world.bot.id:
        raise bad("message can't be edited")
    return standing


def edited(world: World, standing: Standing, markup: Json | None, text: str, given: list[Entity]) -> Json:
    if (text, given, markup) == (standing.text, standing.given, standing.markup):
        raise bad(SAME)
    if text != standing.text:
        standing.edits.append(standing.text)
    # A new object: updates that wait for the bot show the message as it stood when they were made.
    message = {name: value for name, value in standing.message.items() if name != "reply_markup"}
    message["text" if "text" in message else "caption"] = text
    standing.edited_at = world.clock()
    message.update(shown(markup), edit_date=int(standing.edited_at))
    mark(message, given)
    standing.message, standing.given, standing.markup = message, given, markup
    return message


def preview_options(params: Params) -> Json:
    """Without them Telegram opens the first address of a text by itself, to show what is there."""
    options = params.table("link_preview_options")
    for name, value in options.items():
        if not isinstance(value, str if name == "url" else bool):
            raise bad(f'can\'t parse link preview options JSON object: Field "{name}" must be of type Boolean')
    return {"link_preview_options": options} if options else {}


def keyboard(private: bool, params: Params, *, inline_only: bool = False) -> Json | None:
    markup = params.table("reply_markup")
    if not markup:
        return None
    if "inline_keyboard" not in markup:
        if inline_only:
            raise bad("inline keyboard expected")
        return markup
    rows: list[list[Any]] = [row for row in markup["inline_keyboard"] if row]
    for button in (one for row in rows for one in row):
        check_button(button, private)
    if sum(map(len, rows)) > MAX_BUTTONS:
        raise bad("reply markup is too long")
    return {"inline_keyboard": rows} if rows else None


def check_button(button: Json, private: bool) -> None:
    if not button.get("text"):
        raise bad("inline keyboard button text must be non-empty")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(data.encode()) <= LONGEST_DATA:
        raise bad("BUTTON_DATA_INVALID")
    if len(button) < 2:
        raise bad("can't parse inline keyboard button: text buttons are unallowed in the inline keyboard")
    if "url" in button:
        check_url(str(button["url"]), "inline keyboard button")
    if "web_app" in button:
        check_app(button["web_app"], "inline keyboard button")
        if not private:
            raise bad("BUTTON_TYPE_INVALID")


def shown(markup: Json | None) -> Json:
    """Only an inline keyboard is seen on a message."""
    return {"reply_markup": markup} if markup and "inline_keyboard" in markup else {}
