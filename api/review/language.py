"""What the page says, in the language of whoever looks at it: `texts` here are those of `api/review/texts.py` in it."""

from api.review import texts
from memory.translation import Texts

__all__ = ["texts"]

texts = Texts(texts)
