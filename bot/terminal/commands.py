"""The commands with a terminal handler of their own; they can end the chat."""

from bot.terminal.console import Console


async def forget(console: Console, words: str) -> str:
    """Run `/forget`. Erasing everything ends the chat."""
    answer, console.is_over = await console.forget_dialog.command(words)
    return answer


async def leave(console: Console, _: str) -> str:
    console.is_over = True
    return ""
