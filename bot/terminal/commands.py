"""Commands that the terminal answers in a way of its own: they may end the chat."""

from bot.terminal.console import Console


async def forget(console: Console, words: str) -> str:
    """Who had everything forgotten has nobody to talk as any more."""
    told, console.is_over = await console.forgetting.command(words)
    return told


async def leave(console: Console, _: str) -> str:
    console.is_over = True
    return ""
