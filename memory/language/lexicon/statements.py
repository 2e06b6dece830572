"""Words that carry no meaning and words that mean the same, for comparing statements."""

from memory.language.lexicon.notation import WordList
from memory.language.lexicon.section import LexiconSection


class Tense(LexiconSection):
    """The present and past forms of a verb. Verbs whose forms are also nouns or participles are left out ("named")."""

    now: WordList
    before: WordList
    perfect: bool = False
    """True if its present keeps the past form of another verb current: "has lived"."""


class StatementWords(LexiconSection):
    stop_words: WordList = ()
    pronouns: WordList
    """Words that change with the speaker: "my boss" is "your boss" to the assistant."""
    degrees: WordList = ()
    """Words of degree and emphasis, which do not change a statement."""
    synonyms: tuple[WordList, ...] = ()
    """Words that people and models use interchangeably."""
    tenses: tuple[Tense, ...] = ()
