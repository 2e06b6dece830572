"""The words that announce a password in a text.

Plain words that ignore case but not accents: list both "contrasena" and "contraseña" where people write both. Field
names such as `api_key` belong to no language; they are in `memory/privacy/redaction.py`.
"""

from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class SecretWords(LexiconSection):
    surely: Words
    """Words for a password. A letter or a digit may follow directly."""
    perhaps: Words = ()
    """Ambiguous words, whose value must look like a secret."""
    copulas: Words = ()
    """Words between the name and the value: "my password is hunter2"."""
    no_values: Words = ()
    """Ordinary words after a colon, which are not a password."""
