"""Classifies how sensitive a text is, before it is stored.

    "I have diabetes"                   high   a private matter of a person
    "a book about diabetes"             none   a matter in general
    "my number is +49 151 2345678"      low    contact details

A sentence is simplified as described in `sensitive_patterns`. A matter is private only together with a person in the
same sentence. Long sentences are read in overlapping pieces, so that even a hostile text is not slow.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from memory.language.sensitive_patterns import HAN, fold_lookalikes, sensitive_patterns

Level = Literal["none", "low", "high"]

SENTENCE_END = re.compile(r"(?<=\w{4}\.)\s|(?<=[!?;…])\s|[。！？；।॥؟؛\n]")
PIECE, STEP = 400, 300
# Invisible characters: joiners, direction marks, and the Arabic tatweel.
INVISIBLE = re.compile("[\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
FIRST_LETTER = re.compile(r"(?<![^\W_])[^\W\d_]")
CURRENCY = re.compile("[$€£¥₽₹₩₺]")
WORD = re.compile(rf"\^?(?:[{HAN}]+|(?:(?![{HAN}])[^\W_]|[\u0900-\u0963\u0966-\u0dff])+)")
# Country code and length of each IBAN.
IBANS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27
GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 LY25 MC27 MD24
ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24
TR26 UA29 VA22 VG24 XK20
"""
IBAN_LENGTHS = {iban[:2]: int(iban[2:]) for iban in IBANS.split()}
DATE = re.compile(r"(?<= )(?:\d\d? \d\d? \d{4}|\d{4} \d\d? \d\d?|(?:19|20)\d\d)(?= )")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
PHONE = re.compile(
    r"(?<![\w+])(?:\+|00)[1-9](?:[ ().\u00a0/-]{0,2}\d){7,14}(?!\d)"
    r"|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])"
    r"|(?<!\w)1[3-9]\d{9}(?!\w)"
    r"|(?<!\w)0\d(?:[ .-]\d\d){4}(?!\w)"
)


def is_iban(text: str) -> bool:
    """Return whether the text begins with a valid IBAN."""
    compact = text.replace(" ", "").upper()
    iban = compact[: IBAN_LENGTHS.get(compact[:2], 0)]
    return len(iban) >= 15 and len(iban) == IBAN_LENGTHS[iban[:2]] and _mod97(iban[4:] + iban[:4]) == 1


def _mod97(characters: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in characters)) % 97


def is_chinese_id(number: str) -> bool:
    weighted = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(number[:17]))
    return "10X98765432"[weighted % 11] == number[17].upper()


def is_cpf(number: str) -> bool:
    digits = [int(sign) for sign in number if sign.isdigit()]
    checks = [sum(digits[place] * (size + 1 - place) for place in range(size)) * 10 % 11 % 10 for size in (9, 10)]
    return digits[9:] == checks and len(set(digits)) > 1


def is_dni(number: str) -> bool:
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number[:8]) % 23] == number[-1].upper()


def is_nir(number: str) -> bool:
    digits = number.replace(" ", "")
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


# Numbers with a checksum are sensitive in any context.
CHECKED_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"(?i)(?<![a-z0-9])(?=([a-z]{2}[0-9]{2}(?: ?[a-z0-9]){11,36}))", re.ASCII), is_iban),
    (re.compile(r"(?<![0-9])([0-9]{17}[0-9xX])(?![0-9])"), is_chinese_id),
    (re.compile(r"(?<![0-9])([0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2})(?![0-9])"), is_cpf),
    (re.compile(r"(?<![A-Za-z0-9])([0-9]{8}-?[A-Za-z])(?![A-Za-z0-9])"), is_dni),
    (re.compile(r"(?<![0-9])([12] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2})(?![0-9])"), is_nir),
)


def sensitivity_of(text: str) -> Level:
    """The highest sensitivity of any piece of the text."""
    found: Level = "none"
    for piece in _pieces(text):
        simplified = _simplify(piece)
        if _is_high(piece, simplified):
            return "high"
        if found == "none" and _is_low(piece, simplified):
            found = "low"
    return found


def _pieces(text: str) -> Iterator[str]:
    for sentence in filter(str.strip, SENTENCE_END.split(text)):
        for start in range(0, max(len(sentence) - PIECE + STEP, 1), STEP):
            yield sentence[start : start + PIECE]


def _simplify(piece: str) -> str:
    """Simplify a piece: folded words with single spaces, and `^` before each word that was capitalised."""
    patterns = sensitive_patterns()
    visible = INVISIBLE.sub("", piece.replace("^", " "))
    marked = FIRST_LETTER.sub(lambda letter: "^" + letter[0] if letter[0].isupper() else letter[0], visible)
    words = " ".join(WORD.findall(fold_lookalikes(CURRENCY.sub(" currency ", marked))))
    return patterns.asides.sub("", patterns.after_article.sub(r"\1 ", f" {words} "))


def _is_high(piece: str, simplified: str) -> bool:
    patterns = sensitive_patterns()
    if any(proves(match[1]) for pattern, proves in CHECKED_NUMBERS for match in pattern.finditer(piece)):
        return True
    if patterns.sayings.search(simplified) or _digits_after(patterns.papers, simplified, 5):
        return True
    marked = patterns.matters.sub(" #", patterns.traits.sub(" ~", simplified))
    earns = patterns.makes.search(simplified) or (
        patterns.earns.search(simplified) and patterns.figure.search(simplified)
    )
    if earns or (patterns.stands.search(simplified) and patterns.parties.search(simplified)):
        return _is_about_person(marked)
    return marked != simplified and _is_about_person(marked, needs="#~")


def _is_low(piece: str, simplified: str) -> bool:
    patterns = sensitive_patterns()
    if EMAIL.search(piece) or PHONE.search(piece) or _digits_after(patterns.calls, simplified, 6):
        return True
    if (
        patterns.street.search(simplified)
        or patterns.at_home.search(simplified)
        or patterns.named_family.search(simplified)
    ):
        return True
    if patterns.family.search(simplified) and patterns.named.search(simplified):
        return True
    return bool(patterns.whereabouts.search(simplified)) and _is_about_person(simplified)


def _is_about_person(marked: str, *, needs: str = "") -> bool:
    patterns = sensitive_patterns()
    rest = patterns.general_matter.sub("", patterns.persons.sub(" @", marked))
    return (not needs or any(sign in rest for sign in needs)) and bool(patterns.about_person.search(rest))


def _digits_after(pattern: re.Pattern[str], simplified: str, least: int) -> bool:
    """Return whether a number with at least `least` digits, and no date, follows closely."""
    for match in pattern.finditer(simplified):
        near = DATE.sub("", simplified[match.end() : match.end() + 40])
        if sum(sign.isdigit() for sign in near) >= least:
            return True
    return False
