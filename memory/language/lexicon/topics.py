"""What people say in any chat, whatever it is about."""

from memory.language.lexicon.section import LexiconSection


class SmallTalk(LexiconSection):
    small_talk: tuple[str, ...]
    """Words of greetings and thanks, which ask for nothing that was said before. As they look after folding."""


class TopicWords(SmallTalk):
    chatter: tuple[str, ...]
    """What is no topic though it is said often. As they look after folding."""
    binding: str | None = None
    """Where words do not stand apart: signs that bind words together; a run with one of them is no name of a thing."""
