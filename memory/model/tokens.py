"""How many tokens a text has at most, told offline and fast: a bound, not an average.

The tokenizer folds the text (NFKC), cuts it into pieces by a rule that PIECES repeats, and encodes each piece by
itself. So a piece that we know to be one token counts as one wherever it stands; any other one is priced byte by byte,
each byte after the one before it. The space before a word is free.

Proven for pieces of any length that are made of ASCII letters, digits, signs or blanks. Two neighbours in an encoding
are an encoding by themselves, so all encodings are walks in a graph of the tokens; the cheapest walk to every token was
computed, and none costs less than it has tokens.
- Letters by the table LETTERS_AFTER, whose prices a linear program chose as low as that allows.
- Digits half a token each and half a token for the piece.
- Signs and blanks one each, and little when they repeat.
Checked one by one: every word (token_words.txt) and row of signs (token_costs.py) that counts as one token, and every
pair of letters in SINGLE_CHARACTERS.
Only searched for exceptions, with 800,000 hostile texts, most of them twelve times over; none is known:
- Characters beyond ASCII, alone and joined with letters: as many tokens as bytes, less one if their first two bytes are
  a token, and less for SINGLE_CHARACTERS.
- Controls among signs, and rare characters that Python and the tokenizer class differently (letter, digit, blank).
- That the torn parts of a text cost no less than the whole.
"""

import re
import sys
from array import array
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits, punctuation
from unicodedata import normalize

from memory.model.token_costs import LETTERS_AFTER, PREFIXES, SIGNS, SIGNS_AFTER_A_SPACE, SINGLE_CHARACTERS

ELLIPSIS = "…"
LEFT_OUT = "\n[… {count:,} characters left out …]\n"
TOKEN = 30  # prices are whole numbers, thirtieths of a token
CONTRACTIONS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
SEPARATORS = r"\x1c-\x1f"  # blanks to Python, signs to the tokenizer
BLANKS = rf"[^\S{SEPARATORS}]+"
PIECES = re.compile(
    rf"{'|'.join(CONTRACTIONS)}| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|[_{SEPARATORS}])+|{BLANKS}(?![\S{SEPARATORS}])|{BLANKS}"
)
BETWEEN = "\r"  # costs a token after anything, so it parts the pieces and can be taken off again
WIDE = re.compile(f"(?<! )[{''.join(sign for sign in SINGLE_CHARACTERS if ord(sign) >= 0x800)}]")
WIDE_DISCOUNT = TOKEN // 2  # half a token stays on top: neighbours may break up even these, and a space does
BLESSING, BLESSING_TOKENS = re.compile("[\ufdfa\ufdfb]"), 20  # one character that folds out to eighteen


def estimate(text: str, *, torn: bool = False) -> int:
    """The tokens of a text, at most. A torn text is part of a longer one: its first and last word may go on there."""
    text, blessings = BLESSING.subn(" ", text)
    pieces = PIECES.findall(normalize("NFKC", text))
    edges = [pieces.pop(0), *pieces[-1:]] if torn and pieces else []
    inner = pieces[:-1] if torn else pieces
    others = [piece for piece in inner if piece not in WHOLE]
    may_go_on = bool(inner) and not torn and inner[-1] in WHOLE and inner[-1][-1].isalpha()
    known = len(inner) - len(others) + may_go_on + blessings * BLESSING_TOKENS
    return known + ceil(price(others + edges) / TOKEN)


def price(pieces: list[str]) -> int:
    text = "".join(BETWEEN + piece for piece in pieces)
    data = text.encode("utf-8", "surrogatepass")
    pairs = (array("H", data[start : start + (len(data) - start) // 2 * 2]) for start in (0, 1))
    paid = sum(sum(map(PRICES.__getitem__, half)) for half in pairs)
    return paid - TOKEN * max(len(pieces) - 1, 0) - WIDE_DISCOUNT * len(WIDE.findall(text))


def whole_pieces() -> Iterator[str]:
    """Pieces that are one token: the file's first part in all spellings of a word, the second as it is written."""
    words = Path(__file__).with_name("token_words.txt").read_text(encoding="utf-8")
    all_spellings, after_a_space = (part.split() for part in words.split("\n\n"))
    for word in all_spellings:
        yield from (word, f" {word}", word.capitalize(), f" {word.capitalize()}")
    yield from (f" {word}" for word in (*after_a_space, *SIGNS_AFTER_A_SPACE))
    yield from (*SIGNS, *CONTRACTIONS)


def pair_prices() -> bytes:
    """What a byte costs after another one, found by the number that the two bytes make in this machine's order."""
    after = [[TOKEN] * 0x80 + [0] * 0x80 for _ in range(256)]
    for before, costs in enumerate(after):
        for letter, column in LETTERS.items():
            costs[letter] = TOKEN + int(LETTERS_AFTER[0][column], 36)
            if before in LETTERS:
                costs[letter] = int(LETTERS_AFTER[1 + LETTERS[before]][column], 36)
        if before >= 0xC0:
            costs[0x80:0xC0] = [character_price(before, second) for second in range(0x80, 0xC0)]
    for byte in (ascii_lowercase + ascii_uppercase + digits + punctuation).encode():
        after[ord(" ")][byte] -= TOKEN  # the space before a word is part of its first token
    for digit in digits.encode():
        after[digit][ord("0") : ord("9") + 1] = [TOKEN // 2] * 10
    for same, cost in ((" ", 1), *((blank, 5) for blank in "\n\t"), *((ruler, 8) for ruler in "-=*_.#")):
        after[ord(same)][ord(same)] = cost
    pairs = (number.to_bytes(2, sys.byteorder) for number in range(0x10000))
    return bytes(after[before][byte] for before, byte in pairs)


def character_price(first: int, second: int) -> int:
    if first < 0xE0:
        return TOKEN if bytes((first, second)).decode("utf-8", "replace") in SINGLE_CHARACTERS else 2 * TOKEN
    together = PREFIXES.get(first, 0) >> (0xBF - second) & 1
    return TOKEN * (3 + (first >= 0xF0) - together)


LETTERS = {letter: column for column, letter in enumerate(ascii_lowercase.encode(), 1)} | dict.fromkeys(
    ascii_uppercase.encode(), 0
)
WHOLE = frozenset(whole_pieces())
PRICES = pair_prices()


def shortened(text: str, most: int) -> str:
    """The text in so many tokens: its beginning and its end, with a word about what is missing between."""
    if estimate(text) <= most:
        return text
    least, longest = 0, len(text) // 2
    while least < longest:
        half = (least + longest + 1) // 2
        if estimate(_ends(text, half)) <= most:
            least = half
        else:
            longest = half - 1
    short = _ends(text, least)
    return short if estimate(short) <= most else ELLIPSIS[:most]


def _ends(text: str, half: int) -> str:
    """Both ends of a text, and what is missing between them."""
    middle = LEFT_OUT.format(count=len(text) - 2 * half)
    return f"{text[:half]}{middle}{text[len(text) - half :]}"
