"""The words and letters that identify a language."""

from typing import Literal

from memory.language.lexicon.section import LexiconSection

Script = Literal[
    "latin", "greek", "cyrillic", "armenian", "arabic", "devanagari", "tamil", "han", "kana", "hangul", "thai"
]


class NameForms(LexiconSection):
    """Substitutions for inflected names, so that their stems match: pattern and replacement."""

    before_stemming: tuple[tuple[str, str], ...] = ()
    after_stemming: tuple[tuple[str, str], ...] = ()


class DetectionWords(LexiconSection):
    script: Script
    letters: str | None = None
    """Letters that few languages of the script use."""
    rank: int | None = None
    """Breaks a tie between languages, the lowest first; defaults to the rank of the language."""
    name_forms: NameForms | None = None
    elides: bool = False
    """True if function words are elided: "l'eau" is two words."""
    function_words: tuple[str, ...]
    """They identify the language of a line, and are ignored in searches. Folded, because people often omit accents."""
