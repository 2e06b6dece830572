"""By what a language is told from others."""

from typing import Literal

from memory.language.lexicon.section import LexiconSection

Script = Literal[
    "latin", "greek", "cyrillic", "armenian", "arabic", "devanagari", "tamil", "han", "kana", "hangul", "thai"
]


class NameForms(LexiconSection):
    """Of a language whose names change with the case, so that their stems are compared. Each pattern has what it is
    replaced by."""

    before_stemming: tuple[tuple[str, str], ...] = ()
    after_stemming: tuple[tuple[str, str], ...] = ()


class DetectionWords(LexiconSection):
    script: Script
    letters: str | None = None
    """Letters that few languages of the script write."""
    rank: int | None = None
    """Where a line may be in several languages, the lower one is meant; without it the rank of the language counts."""
    name_forms: NameForms | None = None
    elides: bool = False
    """Whether a small word loses its vowel before the next: "l'eau" is two words."""
    function_words: tuple[str, ...]
    """The small words: they tell which language a line is in, and a question is not about them. As they look after
    folding, for people often leave the accents out."""
