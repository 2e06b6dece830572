"""Patterns for orders to remember and to forget.

A false order is worse than a missed one. An ambiguous verb therefore counts only with a "that" after it.
"""

import re

from pydantic import Field, model_validator

from memory.language.lexicon.notation import NEVER, Alternatives, WordList
from memory.language.lexicon.section import LexiconSection

PART = re.compile(r"\{([a-z_]+)\}")


class OrderWords(LexiconSection):
    openers: Alternatives
    """Words before an order that do not change it."""
    please: Alternatives
    """Polite words, which may also be inside or after an order."""
    remember: Alternatives = NEVER
    """An order even if the fact follows directly."""
    remember_that: Alternatives = NEVER
    """An order only with "that" or a colon; otherwise it asks for an action or tells a story."""
    explain: Alternatives
    """The same, but only at the beginning of a message: later on it introduces an explanation."""
    asked: Alternatives
    """An order phrased as a question, only with "that"."""
    that: Alternatives
    asking_letters: WordList = ()
    """Accented letters that turn "that" into a question word: "qué"."""
    not_after: Alternatives = NEVER
    """Words after a bare verb that make it a question, a memory, a negation or a reference to something said."""
    not_last: Alternatives = NEVER
    """The same, as the last words of the fact."""
    taken_back: Alternatives
    """Anywhere in the fact: an instruction not to keep something."""
    said: Alternatives
    """", said my boss" at the end: a quotation."""
    now_on: Alternatives
    always: Alternatives
    """With its verb, because the word alone also describes habits."""
    forget: Alternatives = NEVER
    forget_that: Alternatives
    """An order only with "that", "about" or a colon."""
    about: Alternatives = NEVER
    not_forgotten: Alternatives
    """Objects that make it "never mind": "it", "what I said"."""
    goes_on: Alternatives = NEVER
    """Conjunctions: "Forget your keys and you wait" is no order."""
    last: Alternatives = NEVER
    """An order with the verb at the end; its only group is the fact."""
    forget_last: Alternatives = NEVER
    asks: Alternatives = NEVER
    """Final words that make a question without a question mark."""
    parts: dict[str, Alternatives] = Field(default_factory=dict)
    """Parts shared by several of these patterns, which refer to them as `{part}`."""

    @model_validator(mode="after")
    def _insert_parts(self) -> "OrderWords":
        filled = {name: PART.sub(self._part, source) for name, source in self if isinstance(source, str)}
        return self.model_copy(update=filled)

    def _part(self, match: re.Match[str]) -> str:
        if match[1] not in self.parts:
            raise ValueError(f"no part is called {match[1]}")
        return self.parts[match[1]]
