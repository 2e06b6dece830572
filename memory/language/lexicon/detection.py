"""By what a language is told from others."""

from typing import Literal

from memory.language.lexicon.section import LexiconSection

Script = Literal[
    "latin", "greek", "cyrillic", "armenian", "arabic", "devanagari", "tamil", "han", "kana", "hangul", "thai"
]


class DetectionWords(LexiconSection):
    script: Script
    letters: str | None = None
    """Letters that few languages of the script write."""
    rank: int | None = None
    """Where a line may be in several languages, the lower one is meant; without it the rank of the language counts."""
    function_words: tuple[str, ...]
    """The small words: they tell which language a line is in, and a question is not about them. As they look after
    folding, for people often leave the accents out."""
