"""What the page says, in the language of whoever looks at it: `texts` here are those of `api/review/texts.py` in it."""

from typing import TYPE_CHECKING

from api.review import texts as english
from memory.speech import Texts

if TYPE_CHECKING:
    from api.review import texts as texts
else:
    texts = Texts(english)

__all__ = ["texts"]
