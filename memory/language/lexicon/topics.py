"""Common chat words that are not topics."""

from memory.language.lexicon.section import LexiconSection


class SmallTalk(LexiconSection):
    small_talk: tuple[str, ...]
    """Words of greetings and thanks, which trigger no recall. Folded."""


class TopicWords(SmallTalk):
    chatter: tuple[str, ...]
    """Frequent words that are no topics. Folded."""
    joiners: str | None = None
    """For languages without spaces: characters that join words. A run with one of them is no topic."""
