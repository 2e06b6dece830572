"""Which words of a language tell nothing, and which say the same: by them statements are compared."""

from memory.language.lexicon.notation import WordList
from memory.language.lexicon.section import LexiconSection


class Tense(LexiconSection):
    """How a verb speaks of now, and how of before. Of verbs whose forms are also nouns or participles nothing can be
    told ("named", "interested")."""

    now: WordList
    before: WordList
    perfect: bool = False
    """Whether its present makes the past of another verb not over: "has lived"."""


class StatementWords(LexiconSection):
    stop_words: WordList = ()
    """Say nothing by themselves."""
    pointers: WordList
    """Whose something is, which changes with who speaks: "my boss" is "your boss" to the assistant."""
    degrees: WordList = ()
    """How much, and how true: said or not, the statement is the same."""
    synonyms: tuple[WordList, ...] = ()
    """What people and models put one for the other, without saying anything else."""
    tenses: tuple[Tense, ...] = ()
