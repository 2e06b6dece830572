"""Says how careful one must be with a person's words, before they are written: `HIGH`, `LOW` or `NONE`.

A sentence is reduced to its words, and those to signs: `#` a private matter, `~` what somebody is, `@` a person.
What is private is so only of somebody: the matter needs a person in its sentence, and a long sentence is read in
pieces, so that no text, however long or hostile, makes it slow.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from db.vocabulary import Sensitivity
from memory.privacy import sensitive_words as lists
from memory.retrieval.languages import fold

HAN = "\u3400-\u9fff\uf900-\ufaff"
SENTENCE_END = re.compile(r"(?<=\w{4}\.)\s|(?<=[!?;…])\s|[。！？；।॥؟؛\n]")
PIECE, STEP = 400, 300
# Joiners, direction marks and the stretched line of Arabic: seen by nobody.
UNSEEN = re.compile("[\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
FIRST_LETTER = re.compile(r"(?<![^\W_])[^\W\d_]")
CURRENCY = re.compile("[$€£¥₽₹₩₺]")
WORD = re.compile(rf"\^?(?:[{HAN}]+|(?:(?![{HAN}])[^\W_]|[\u0900-\u0963\u0966-\u0dff])+)")
# Spellings that are one to the reader: signs of Hindi and letters of Arabic that people leave out or swap.
ALIKE = str.maketrans({"\u093c": "", "ँ": "ं", "ة": "ه", "ى": "ي"})
# Arabic writes "and", "with", "for" and "the" as one with the word.
ARABIC = re.compile("[\u0600-\u06ff]")
CLITICS = "[وف]?(?:بال|كال|ال|لل|ب|ل|ك)?"

SURNAMES = (
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮董程曹袁邓鄧许許沈曾彭吕呂"
    "苏蘇卢盧蒋蔣蔡魏薛叶葉余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙段小阿"
)
HAN_STUDIES = "文章|论文|論文|作文|书|書|历史|歷史|研究|电影|電影|新闻|新聞|纪录片|是什么|是一种"
# Where and when somebody is at home and was born; how to reach them; what a name is given with.
WHEREABOUTS_WORDS = """
live in, live at, live on, lives in, lives at, lives on, living in, birthday, born on, born in, vivo en, vive en,
domicilio, cumpleaños, nací, nació, wohne, wohnt, wohnen, anschrift, geburtstag, geboren, habite, habitons,
anniversaire, né le, née le, né en, née en, moro, mora, morar, endereço, aniversário, nasci, nasceu, живу, живёт,
адрес, день рождения, дня рождения, родился, родилась, أسكن, أعيش, يسكن, تسكن, يعيش, تعيش, عيد ميلاد*, تاريخ ميلاد*,
ولدت, जन्मदिन, जन्म, में रहता, में रहती, में रहते, 住在, 家住, 住址, 地址, 生日, 出生
"""
AT_HOME_WORDS = """
mi dirección, meine adresse, mon adresse, meu endereço, my address, home address, dob, date of birth,
fecha de nacimiento, geburtsdatum, date de naissance, data de nascimento, мой адрес, дата рождения, عنواني,
عنوان بيتي, عيد ميلادي, تاريخ ميلادي, मेरा पता, जन्म तिथि, 我住在, 我家住, 我的地址, 出生日期
"""
NAMED_WORDS = """
is called, are called, s called, is named, are named, name is, names are, name s, se llama, heißt, heißen, prénomme,
se llaman, s appelle, s appellent, se chama, se chamam, chama se, зовут, имя, اسمه, اسمها, اسم, أسماء, नाम, 名字,
是我, 名叫
"""
CALLS_WORDS = """
phone, phone number, telephone, my number, call me, reach me, cell, mobile, whatsapp, tel, text me, zip code,
postcode, teléfono, móvil, celular, llámame, código postal, telefon, telefonnummer, handy, handynummer, meine nummer,
plz, portable, mon numéro, code postal, telefone, meu número, cep, телефон*, мой номер, позвони*, звони*, индекс,
هاتف*, جوال*, رقمي, موبايل*, फोन, फ़ोन, मोबाइल, मेरा नंबर, पिन कोड, 电话, 電話, 手机, 手機, 微信, 邮编
"""
STREETS_AFTER = "street, st, avenue, ave, road, rd, lane, ln, boulevard, blvd, drive, court, terrace, crescent, square"
STREETS_BEFORE = """
calle, avenida, av, avda, plaza, paseo, carrera, rua, travessa, alameda, rue, *straße, straße, *str, *gasse, *allee,
allee, *weg, *platz, улица, улице, улицы, ул, проспект*, переул*, шоссе, бульвар*, شارع, गली, मार्ग, रोड, सेक्टर, मकान
"""
STREETS_AT_ONCE = "rue, avenue, boulevard, place, chemin, impasse, quai, allée"
NO_STREET = """
the, a, an, of, on, in, to, at, for, per, and, or, is, are, down, this, my, your, by, off, from, people, minutes, hours
"""
# The length of an IBAN, by country.
IBANS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27
GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 LY25 MC27 MD24
ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24
TR26 UA29 VA22 VG24 XK20
"""
IBAN_LENGTHS = {iban[:2]: int(iban[2:]) for iban in IBANS.split()}


def _folded(text: str) -> str:
    return fold(text).translate(ALIKE)


def any_of(phrases: str) -> str:
    """A pattern for any phrase of a list, as a tree of letters, so that the list's length costs nothing."""
    kinds: dict[str, dict[str, Any]] = {}
    for phrase in filter(None, (_folded(phrase).strip() for phrase in phrases.replace("\n", ",").split(","))):
        word = phrase.strip("*")
        if re.search(f"[{HAN}]", word):
            begin, end = "", ""
        else:
            begin = "" if phrase.startswith("*") else r" \^?" + CLITICS * bool(ARABIC.match(word))
            end = "*" if phrase.endswith("*") else "$"
        branch = kinds.setdefault(begin, {})
        for letter in word + end:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return "(?:" + "|".join(begin + _tree(branch) for begin, branch in kinds.items()) + ")"


def _tree(branches: dict[str, Any]) -> str:
    signs = {" ": r" \^?", "*": r"\S*", "$": "(?= )", "": ""}
    # The end of a shorter phrase comes last: the longest is meant.
    letters = sorted(branches, key=lambda letter: (letter == "", letter))
    patterns = [signs.get(letter, re.escape(letter)) + _tree(branches[letter]) for letter in letters]
    return f"(?:{'|'.join(patterns)})" if len(patterns) > 1 else "".join(patterns)


def _either(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


ASIDES = re.compile(any_of(lists.ASIDES))
TRAITS = re.compile(any_of(lists.TRAITS))
MATTERS = re.compile(any_of(lists.MATTERS))
PERSONS = re.compile(any_of(lists.PERSONS))
SAYINGS = re.compile(any_of(lists.SAYINGS))
EARNS, STANDS, PARTIES = (re.compile(any_of(words)) for words in (lists.EARNS, lists.STANDS, lists.PARTIES))
WHEREABOUTS, AT_HOME = re.compile(any_of(WHEREABOUTS_WORDS)), re.compile(any_of(AT_HOME_WORDS))
PAPERS, CALLS = re.compile(any_of(lists.PAPERS)), re.compile(any_of(CALLS_WORDS))
AFTER_ARTICLE = re.compile(rf"({any_of(lists.ARTICLES)}) \^")
# Works on a matter, and the matters they are on, as far as no person turns up in them.
OF_THE_WORLD = _either(
    any_of(lists.WORKS) + r"(?: (?!@)\S+){1,5}",
    rf" [#~]{any_of(lists.STUDIES)}",
    rf"(?:关于|關於)(?: ?[#~{HAN}]){{1,12}}",
    rf" [#~][{HAN}的]{{0,4}}(?:{HAN_STUDIES})",
)
NO_SIGN = "[^ #~@]"
NO_NAME = rf"(?!{any_of(lists.NO_NAMES)})"
THEN = any_of(f"{lists.COPULAS}, {lists.LINKS}, {lists.VERBS}")
ABOUT_SOMEBODY = _either(
    " @",
    rf"{any_of(lists.PERHAPS)} [#~]",
    rf"{any_of(lists.COPULAS)}{any_of(lists.FILLERS)}? ~",
    rf"{NO_NAME} \^{NO_SIGN}+{THEN}",
    rf"\A{NO_NAME} {NO_SIGN}+{THEN}",
    rf"\A{any_of(lists.VERBS)}",
    rf"\A{NO_NAME} \^?[\u0400-\u04ff\u0600-\u06ff]+ ~",
    r" \^?у \^",
    rf"[{SURNAMES}][{HAN}]{{1,2}}(?: @|[有是患得被信吃在欠住]| [#~])",
)
FAMILY = any_of(lists.FAMILY)
A_FAMILY, A_NAME = re.compile(FAMILY), re.compile(any_of(NAMED_WORDS))
NAMED_FAMILY = _either(
    rf"{FAMILY}叫(?![我你他她大])",
    rf"{any_of(lists.MINE)}{FAMILY}(?: called| named)? \^\w",
    rf"{NO_NAME} \^\w+(?:{any_of(lists.COPULAS)}|{any_of(lists.LINKS)})?{any_of(lists.MINE)}{FAMILY}",
)
# Money: three digits or more, but no year. What one "makes" may be cakes, so it needs a currency or a term.
FIGURE = re.compile(r" (?:(?!(?:19|20)\d\d )\d{3,}|\d+k(?= )|\d+ \d{3}(?= )|\d+ (?:currency|euro|dollar)|currency \d)")
MAKES = re.compile(
    r" \^?(?:mak(?:es?|ing)|debo|debe|devo|deve|devendo|dois|doit|должен|должна)(?: \S+){0,2} (?:currency \d|\d+k(?= )|"
    r"\d[\d ]*(?:mil )?(?:currency|euros|dollars|dolares|reais|pesos|bucks|руб|an? |per ))"
)
DATE = re.compile(r"(?<= )(?:\d\d? \d\d? \d{4}|\d{4} \d\d? \d\d?|(?:19|20)\d\d)(?= )")
STREET = _either(
    rf" \d{{1,5}}[a-z]?(?:(?!{any_of(NO_STREET)}) \^?[^\W\d]+){{1,2}}{any_of(STREETS_AFTER)}",
    rf"{any_of(STREETS_BEFORE)}(?: \^?\w+){{0,4}} \d{{1,4}}[a-z]?(?= )",
    rf" \d{{1,4}}(?: bis| ter)?{any_of(STREETS_AT_ONCE)}",
    rf"[{HAN}][路街巷弄道村] ?\d{{1,5}} ?[号號弄]|\d ?[号號](?:楼|樓|院)|\d ?室",
)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
PHONE = _either(
    r"(?<![\w+])(?:\+|00)[1-9](?:[ ().\u00a0/-]{0,2}\d){7,14}(?!\d)",
    r"(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])",
    r"(?<!\w)1[3-9]\d{9}(?!\w)",
    r"(?<!\w)0\d(?:[ .-]\d\d){4}(?!\w)",
)


def is_iban(text: str) -> bool:
    """Begins as an IBAN of its country's length, and 97 agrees."""
    compact = text.replace(" ", "").upper()
    iban = compact[: IBAN_LENGTHS.get(compact[:2], 0)]
    return len(iban) >= 15 and len(iban) == IBAN_LENGTHS[iban[:2]] and _mod97(iban[4:] + iban[:4]) == 1


def _mod97(signs: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in signs)) % 97


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


# Numbers that a checksum proves, whatever stands around them. Each is looked for at every place.
NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"(?i)(?<![a-z0-9])(?=([a-z]{2}[0-9]{2}(?: ?[a-z0-9]){11,36}))", re.ASCII), is_iban),
    (re.compile(r"(?<![0-9])([0-9]{17}[0-9xX])(?![0-9])"), is_chinese_id),
    (re.compile(r"(?<![0-9])([0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2})(?![0-9])"), is_cpf),
    (re.compile(r"(?<![A-Za-z0-9])([0-9]{8}-?[A-Za-z])(?![A-Za-z0-9])"), is_dni),
    (re.compile(r"(?<![0-9])([12] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2})(?![0-9])"), is_nir),
)


def classify(text: str) -> Sensitivity:
    """The most careful word about any piece of the text."""
    found = Sensitivity.NONE
    for piece in _pieces(text):
        said = _said(piece)
        if _is_high(piece, said):
            return Sensitivity.HIGH
        if found is Sensitivity.NONE and _is_low(piece, said):
            found = Sensitivity.LOW
    return found


def _pieces(text: str) -> Iterator[str]:
    for sentence in filter(str.strip, SENTENCE_END.split(text)):
        for start in range(0, max(len(sentence) - PIECE + STEP, 1), STEP):
            yield sentence[start : start + PIECE]


def _said(piece: str) -> str:
    """The words alone, folded, one space around each, `^` before those that were capitalised."""
    seen = UNSEEN.sub("", piece.replace("^", " "))
    marked = FIRST_LETTER.sub(lambda letter: "^" + letter[0] if letter[0].isupper() else letter[0], seen)
    words = " ".join(WORD.findall(_folded(CURRENCY.sub(" currency ", marked))))
    return ASIDES.sub("", AFTER_ARTICLE.sub(r"\1 ", f" {words} "))


def _is_high(piece: str, said: str) -> bool:
    if any(proves(match[1]) for pattern, proves in NUMBERS for match in pattern.finditer(piece)):
        return True
    if SAYINGS.search(said) or _digits_after(PAPERS, said, 5):
        return True
    signed = MATTERS.sub(" #", TRAITS.sub(" ~", said))
    earns = MAKES.search(said) or (EARNS.search(said) and FIGURE.search(said))
    if earns or (STANDS.search(said) and PARTIES.search(said)):
        return _about_somebody(signed)
    return signed != said and _about_somebody(signed, needs="#~")


def _is_low(piece: str, said: str) -> bool:
    if EMAIL.search(piece) or PHONE.search(piece) or _digits_after(CALLS, said, 6):
        return True
    if STREET.search(said) or AT_HOME.search(said) or NAMED_FAMILY.search(said):
        return True
    if A_FAMILY.search(said) and A_NAME.search(said):
        return True
    return bool(WHEREABOUTS.search(said)) and _about_somebody(said)


def _about_somebody(signed: str, *, needs: str = "") -> bool:
    left = OF_THE_WORLD.sub("", PERSONS.sub(" @", signed))
    return (not needs or any(sign in left for sign in needs)) and bool(ABOUT_SOMEBODY.search(left))


def _digits_after(pattern: re.Pattern[str], said: str, least: int) -> bool:
    """A number follows, near by, that is no date."""
    for match in pattern.finditer(said):
        near = DATE.sub("", said[match.end() : match.end() + 40])
        if sum(sign.isdigit() for sign in near) >= least:
            return True
    return False
