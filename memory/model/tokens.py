"""Estimates the tokens of a text offline: a fast upper bound, not an average.

The tokenizer normalises the text (NFKC), splits it into pieces like PIECES, and encodes each piece separately. A piece
known to be one token counts as one. Any other is priced byte by byte, each byte depending on the one before it. The
space before a word is free.

Proven for pieces of any length of ASCII letters, digits, punctuation or white space: any two neighbouring tokens are an
encoding of their own, so all encodings are walks in a graph of tokens. The cheapest walk to every token was computed,
and none costs less than its tokens.
- Letters are priced by the table LETTERS_AFTER, which a linear program minimised.
- Digits cost half a token each, plus half a token for the piece.
- Punctuation and white space cost one token each, and less when they repeat.
Checked one by one: every word (token_words.txt) and row of punctuation (token_costs.py) that counts as one token, and
every pair of letters in SINGLE_CHARACTERS.
Tested with 800,000 adversarial texts, most of them twelve times over, without a known exception:
- Characters beyond ASCII, alone and joined with letters: as many tokens as bytes, less one if their first two bytes are
  a token, and less for SINGLE_CHARACTERS.
- Control characters among punctuation, and rare characters that Python and the tokenizer classify differently.
- The parts of a split text cost no less than the whole.
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
TOKEN = 30  # prices are integers, in thirtieths of a token
CONTRACTIONS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
SEPARATORS = r"\x1c-\x1f"  # white space to Python, punctuation to the tokenizer
BLANKS = rf"[^\S{SEPARATORS}]+"
PIECES = re.compile(
    rf"{'|'.join(CONTRACTIONS)}| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|[_{SEPARATORS}])+|{BLANKS}(?![\S{SEPARATORS}])|{BLANKS}"
)
PIECE_SEPARATOR = "\r"  # always costs one token, which is subtracted again
WIDE = re.compile(f"(?<! )[{''.join(sign for sign in SINGLE_CHARACTERS if ord(sign) >= 0x800)}]")
WIDE_DISCOUNT = TOKEN // 2  # half a token, because neighbours may break up even these characters
LONG_LIGATURES, LONG_LIGATURE_TOKENS = re.compile("[\ufdfa\ufdfb]"), 20  # NFKC turns one character into eighteen


def estimate(text: str, *, is_part: bool = False) -> int:
    """Return the maximum tokens of a text. If it `is_part` of a longer one, its edge words may continue there."""
    text, ligatures = LONG_LIGATURES.subn(" ", text)
    pieces = PIECES.findall(normalize("NFKC", text))
    edges = [pieces.pop(0), *pieces[-1:]] if is_part and pieces else []
    inner = pieces[:-1] if is_part else pieces
    others = [piece for piece in inner if piece not in SINGLE_TOKEN_PIECES]
    may_go_on = bool(inner) and not is_part and inner[-1] in SINGLE_TOKEN_PIECES and inner[-1][-1].isalpha()
    tokens = len(inner) - len(others) + may_go_on + ligatures * LONG_LIGATURE_TOKENS
    return tokens + ceil(price_pieces(others + edges) / TOKEN)


def price_pieces(pieces: list[str]) -> int:
    text = "".join(PIECE_SEPARATOR + piece for piece in pieces)
    data = text.encode("utf-8", "surrogatepass")
    pairs = (array("H", data[start : start + (len(data) - start) // 2 * 2]) for start in (0, 1))
    paid = sum(sum(map(PRICES.__getitem__, half)) for half in pairs)
    return paid - TOKEN * max(len(pieces) - 1, 0) - WIDE_DISCOUNT * len(WIDE.findall(text))


def whole_pieces() -> Iterator[str]:
    """Yield the pieces that are one token. The file's first words count in all spellings, its second part only after a
    space."""
    words = Path(__file__).with_name("token_words.txt").read_text(encoding="utf-8")
    all_spellings, after_a_space = (part.split() for part in words.split("\n\n"))
    for word in all_spellings:
        yield from (word, f" {word}", word.capitalize(), f" {word.capitalize()}")
    yield from (f" {word}" for word in (*after_a_space, *SIGNS_AFTER_A_SPACE))
    yield from (*SIGNS, *CONTRACTIONS)


def pair_prices() -> bytes:
    """The cost of a byte after another one, indexed by the 16-bit number of the two bytes in native byte order."""
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
    is_pair_token = PREFIXES.get(first, 0) >> (0xBF - second) & 1
    return TOKEN * (3 + (first >= 0xF0) - is_pair_token)


LETTERS = {letter: column for column, letter in enumerate(ascii_lowercase.encode(), 1)} | dict.fromkeys(
    ascii_uppercase.encode(), 0
)
SINGLE_TOKEN_PIECES = frozenset(whole_pieces())
PRICES = pair_prices()


def shorten(text: str, most: int) -> str:
    """Truncate a text in the middle to at most `most` tokens, with a note about what is missing."""
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
    middle = LEFT_OUT.format(count=len(text) - 2 * half)
    return f"{text[:half]}{middle}{text[len(text) - half :]}"
