"""The texts of `api/review/texts.py`, translated into the current reader's language on access."""

from api.review import texts
from memory.translation import Texts

__all__ = ["texts"]

texts = Texts(texts)
