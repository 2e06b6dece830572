"""/new and /private: start a conversation that is recorded, or one that is not."""

from bot.language import texts
from memory.turn.chat import Chat


async def new(chat: Chat, _: str) -> str:
    text = texts.NEW_CONVERSATION if chat.kept else texts.PRIVATE_ENDED
    await chat.new_conversation(kept=True)
    return text


async def private(chat: Chat, _: str) -> str:
    """Record nothing from here on, until a new conversation is started."""
    if chat.kept:
        await chat.new_conversation(kept=False)
    return texts.PRIVATE_STARTED
