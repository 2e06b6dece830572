"""Messages that wait in the inbox, in the form in which they are stored."""

from bot.delivery.outgoing import Button, OutgoingMessage

MESSAGE = OutgoingMessage(
    text="How should it read?",
    chat=7,
    buttons=[[Button(label="No", data="no")]],
    force_reply=True,
    text_without_buttons="Reply with the new words.",
    undelivered_text="I couldn't send the card.",
)


def test_a_stored_message_is_read_as_it_was() -> None:
    assert OutgoingMessage.model_validate_json(MESSAGE.model_dump_json()) == MESSAGE


def test_a_message_that_an_earlier_version_stored_loses_nothing() -> None:
    earlier = {"force_reply": "asks", "text_without_buttons": "instead", "undelivered_text": "otherwise"}
    stored = {earlier.get(name, name): value for name, value in MESSAGE.model_dump().items()}

    assert OutgoingMessage.model_validate(stored) == MESSAGE
