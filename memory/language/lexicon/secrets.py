"""The words by which a password is found in a text.

Plain words, matched without case but with accents: list "contrasena" beside "contraseña" where people write both. The
names that programs give to such fields, like `api_key`, belong to no language: `memory/privacy/redaction.py` has them.
"""

from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class SecretWords(LexiconSection):
    surely: Words
    """What people call a password. A letter or a figure may follow at once."""
    perhaps: Words = ()
    """Means other things too, so its value must look like a secret."""
    copulas: Words = ()
    """Stands between the name and the value: "my password is hunter2"."""
    no_values: Words = ()
    """Follows a colon where people go on talking instead of giving the value."""
