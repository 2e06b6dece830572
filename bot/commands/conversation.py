"""/new and /private: start a conversation, which is kept or not."""

from bot.language import texts
from memory.turn.chat import Chat


async def new(chat: Chat, _: str) -> str:
    told = texts.NEW_CONVERSATION if chat.kept else texts.PRIVATE_OVER
    await chat.begin_anew(kept=True)
    return told


async def private(chat: Chat, _: str) -> str:
    """From here on nothing of this conversation is written down, until a new one is started."""
    if chat.kept:
        await chat.begin_anew(kept=False)
    return texts.PRIVATE_BEGUN
