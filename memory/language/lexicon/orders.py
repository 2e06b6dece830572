"""How people of one language order to remember and to forget.

A false order is worse than a missed one, so a verb that may also tell a story is listed where a "that" must follow it.
"""

import re

from pydantic import Field, model_validator

from memory.language.lexicon.notation import NEVER, Alternatives, WordList
from memory.language.lexicon.section import LexiconSection

PART = re.compile(r"\{([a-z_]+)\}")


class OrderWords(LexiconSection):
    openers: Alternatives
    """May stand before an order and change nothing."""
    please: Alternatives
    """May also stand inside and after it."""
    remember: Alternatives = NEVER
    """An order even if the fact follows at once."""
    remember_that: Alternatives = NEVER
    """An order only with "that" or a colon; alone it asks for a deed or tells a story."""
    explain: Alternatives
    """As the former, and only as the first words of a message: later it is how people explain things."""
    asked: Alternatives
    """An order clad in a question, only with "that"."""
    that: Alternatives
    asking_letters: WordList = ()
    """Letters with an accent that make a question word of the "that": "qué"."""
    not_after: Alternatives = NEVER
    """What follows a bare verb that asks, reminisces, negates or points at something said."""
    not_last: Alternatives = NEVER
    """The same, as the last word."""
    taken_back: Alternatives
    """Anywhere in the fact: it says not to keep something."""
    said: Alternatives
    """", said my boss" at the end: somebody else's words."""
    now_on: Alternatives
    always: Alternatives
    """With its verb, because the word alone tells habits too."""
    forget: Alternatives = NEVER
    forget_that: Alternatives
    """An order only with "that", "about" or a colon."""
    about: Alternatives = NEVER
    not_forgotten: Alternatives
    """"It", "what I said": never mind."""
    goes_on: Alternatives = NEVER
    """Binds clauses. "Forget your keys and you wait" forgets nothing."""
    last: Alternatives = NEVER
    """The verb stands at the end; the one group is the fact."""
    forget_last: Alternatives = NEVER
    asks: Alternatives = NEVER
    """Last words that ask without a question mark."""
    parts: dict[str, Alternatives] = Field(default_factory=dict)
    """What stands in several of these patterns; they name it as `{part}`."""

    @model_validator(mode="after")
    def _with_parts(self) -> "OrderWords":
        filled = {name: PART.sub(self._part, source) for name, source in self if isinstance(source, str)}
        return self.model_copy(update=filled)

    def _part(self, named: re.Match[str]) -> str:
        if named[1] not in self.parts:
            raise ValueError(f"no part is called {named[1]}")
        return self.parts[named[1]]
