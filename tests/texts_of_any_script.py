"""Texts for hypothesis: letters of several scripts, signs outside the first plane, marks, white space."""

from hypothesis import settings
from hypothesis import strategies as st

UNHURRIED = settings(deadline=None)
LETTERS = "abcABCäÖßéЖяابجदीमा我老板王ไท😀👩🏽 \t\n\u0301.!?。؟।…'\"\\(+*[%_"
TEXTS = st.text(alphabet=LETTERS, max_size=60)
WORDS = TEXTS.filter(str.strip)
