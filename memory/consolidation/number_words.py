"""The words for numbers in the main languages, and the numbers that a text states in words or figures."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from memory.retrieval.languages import WORD
from memory.sentences import folded

# From zero to twenty in order, forms of the same number joined by "/"; then the tens, hundred, thousand and million.
SMALL: Final = {
    "english": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    "spanish": "cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte",
    "german": "null ein/eins/eine/einen/einem/einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
    "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "french": "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dixsept dixhuit dixneuf vingt/vingts",
    "portuguese": "zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze "
    "quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte",
    "russian": "ноль/нуль один/одна/одно/одну/одного/одной два/две/двух/двум/двое три/трех/трем/трое "
    "четыре/четырех/четверо пять/пяти шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать "
    "двенадцать/двенадцати тринадцать четырнадцать пятнадцать/пятнадцати шестнадцать семнадцать восемнадцать "
    "девятнадцать двадцать/двадцати",
    "arabic": "صفر واحد/واحدة اثنان/اثنين/اثنتان/اثنتين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع "
    "ثمانية/ثماني/ثمان تسعة/تسع عشرة/عشر",
    "hindi": "शून्य एक दो तीन चार पांच/पाँच छह/छः/छ सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह/पन्द्रह सोलह सत्रह अठारह उन्नीस बीस",
}
LARGE: Final = {
    "english": "thirty forty fifty sixty seventy eighty ninety hundred/hundreds thousand million/millions",
    "spanish": "treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento mil millón/millones",
    "german": "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert/einhundert tausend/eintausend "
    "million/millionen",
    "french": "trente quarante cinquante soixante septante huitante/octante nonante cent/cents mille million/millions",
    "portuguese": "trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento mil milhão/milhões",
    "russian": "тридцать/тридцати сорок/сорока пятьдесят шестьдесят семьдесят восемьдесят девяносто сто/ста "
    "тысяча/тысячи/тысяч/тысячу миллион/миллиона/миллионов",
    "arabic": "ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين مئة/مائة "
    "ألف/آلاف مليون/ملايين",
    "hindi": "तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ हज़ार/हजार मिलियन",
}
# From third to tenth: "first" and "second" say too many other things.
ORDINALS: Final = {
    "english": "third fourth fifth sixth seventh eighth ninth tenth",
    "spanish": "tercer/tercero/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava "
    "noveno/novena décimo/décima",
    "german": "dritte/dritten/dritter/drittes vierte/vierten/vierter fünfte/fünften/fünfter sechste/sechsten/sechster "
    "siebte/siebten/siebter achte/achten/achter neunte/neunten zehnte/zehnten",
    "french": "troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "portuguese": "terceiro/terceira quarta quinto/quinta sexto/sexta sétimo/sétima oitavo/oitava nono/nona "
    "décimo/décima",
    "russian": "третий/третья/третье/третью/третьего/третьем четвертый/четвертая/четвертом пятый/пятая/пятом "
    "шестой/шестая/шестом седьмой/седьмая/седьмом восьмой/восьмая/восьмом девятый/девятая/девятом "
    "десятый/десятая/десятом",
    "arabic": "الثالث/الثالثة الرابع/الرابعة الخامس/الخامسة السادس/السادسة السابع/السابعة الثامن/الثامنة "
    "التاسع/التاسعة العاشر/العاشرة",
    "hindi": "तीसरा/तीसरी/तीसरे चौथा/चौथी/चौथे पांचवां/पांचवीं छठा/छठी सातवां/सातवीं आठवां/आठवीं नौवां/नौवीं दसवां/दसवीं",
}
# What speaks of two or twelve without its number word; it founds a number and states none.
LIKE_NUMBERS: Final = {
    "pair": 2, "couple": 2, "twice": 2, "both": 2, "twins": 2, "dozen": 12, "paar": 2, "beide": 2, "beiden": 2,
    "zweimal": 2, "dutzend": 12, "par": 2, "ambos": 2, "ambas": 2, "docena": 12,
    "douzaine": 12, "duzia": 12, "оба": 2, "обе": 2, "пара": 2, "дважды": 2, "дюжина": 12, "दोनों": 2,
    "俩": 2, "双": 2,
}  # fmt: skip
HAN_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
HAN_TIMES: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 100_000_000}
# A numeral counts something if it is an ordinal or one of these follows; 一起 and 十分 state no number.
HAN_COUNTED: Final = frozenset(
    "个個只隻位年岁歲天月周週次块元人本台辆杯名口公斤克米里楼层点%度小秒倍张条件套瓶美欧万萬亿"
)
HAN_NUMBER: Final = "[〇零一二两兩三四五六七八九十百千万萬亿]+"
JOINING: Final = frozenset({"and", "y", "e", "et"})
FIGURE: Final = re.compile(
    r"(?<![^\W\d_\u3400-\u9fff])(?<!\d)(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)*)"
    r"(?:\s?(?P<half>[ap]\.?m\b)|\s?(?P<scale>[^\W\d_](?:[^\W\d_\u3400-\u9fff]|[\u0900-\u0963])*))?",
    re.IGNORECASE,
)
SCALES: Final = {"k": 1_000, "тыс": 1_000, "млн": 10**6, "mio": 10**6, "mln": 10**6, "bn": 10**9, "billion": 10**9}
HINDI_SCALES: Final = {"लाख": 10**5, "करोड़": 10**7}
Value = Decimal | str


class Number(NamedTuple):
    """Where a number stands, and what it may mean: "1.500" is one and a half here, fifteen hundred there."""

    start: int
    end: int
    values: frozenset[Value]


HUNDRED, THOUSAND = 100, 1_000


def _listed(rows: str, values: Sequence[int]) -> dict[str, int]:
    return {
        folded(form)[0]: value for value, forms in zip(values, rows.split(), strict=False) for form in forms.split("/")
    }


def _cardinals(language: str) -> dict[str, int]:
    tens = _listed(LARGE[language], (30, 40, 50, 60, 70, 80, 90, 100, 1_000, 1_000_000))
    known = _listed(SMALL[language], range(21)) | tens
    units = [(word, value) for word, value in known.items() if 0 < value < 10]
    if language == "german":
        twenties = [(word, value) for word, value in known.items() if 20 <= value < HUNDRED]
        known |= {f"{unit}und{ten}": one + value for unit, one in units for ten, value in twenties}
        known |= {
            f"{unit}{great}": one * value
            for unit, one in units
            for great, value in known.items()
            if value in (100, 1000)
        }
    if language == "spanish":
        known |= {f"veinti{unit}": 20 + one for unit, one in units}
        known |= {"doscientos": 200, "doscientas": 200, "trescientos": 300, "trescientas": 300, "cuatrocientos": 400}
        known |= {"quinientos": 500, "quinientas": 500, "seiscientos": 600, "ochocientos": 800}
    if language == "portuguese":
        known |= {"duzentos": 200, "duzentas": 200, "trezentos": 300, "quatrocentos": 400, "quinhentos": 500}
    if language == "russian":
        known |= {"двести": 200, "триста": 300, "четыреста": 400, "пятьсот": 500}
    if language == "arabic":
        known |= {"عشرون": 20, "عشرين": 20, "مئتان": 200, "مئتين": 200, "مائتين": 200, "الفين": 2000}
    return known


CARDINAL_WORDS: Final = {language: _cardinals(language) for language in SMALL}
ORDINAL_WORDS: Final = {language: _listed(rows, range(3, 11)) for language, rows in ORDINALS.items()}
# Whatever the language: for where the grammar around a word says that it must be a number.
ANY_NUMBER: Final = {word: value for words in CARDINAL_WORDS.values() for word, value in words.items()} | {
    "a": 1,
    "an": 1,
}


def amounts(values: Sequence[int], *, units_first: bool = False) -> list[int]:
    """What number words in a row come to: 20 and 5 are twenty-five, 3 and 1,000 are three thousand, 4 and 7 are two
    numbers. In Arabic the units stand before their ten."""
    done: list[int] = []
    total, open_ = 0, -1  # what the thousands have come to, and what is counted below them
    for value in values:
        if open_ < 0:
            open_ = value
        elif value >= THOUSAND and total < value:
            total, open_ = total + max(open_, 1) * value, 0
        elif value == HUNDRED and 0 < open_ < THOUSAND and open_ % HUNDRED:
            open_ *= HUNDRED
        elif open_ % HUNDRED == 4 and value == 20:  # quatre-vingts
            open_ += 80 - 4
        elif _goes_on(open_, value, units_first) or (total and not open_):
            open_ += value
        else:
            done.append(total + open_)
            total, open_ = 0, value
    return [*done, total + open_] if open_ >= 0 else done


def _goes_on(open_: int, value: int, units_first: bool) -> bool:
    """Whether a number is a part of the one before it: seventy in French is sixty and ten."""
    if units_first and 0 < open_ % HUNDRED < 10 <= value < HUNDRED:
        return True
    if not open_ or value >= open_:
        return False
    return open_ % HUNDRED == 0 or (open_ % 10 == 0 and open_ >= 20 and value < (20 if open_ in (60, 80) else 10))


def han_number(run: str) -> int:
    """What Chinese numerals come to, said digit by digit or with tens and hundreds."""
    if not re.search("[十百千万萬亿]", run):
        return int("".join(str(HAN_DIGITS[sign]) for sign in run[:20]))
    total = section = digit = 0
    for sign in run[:20]:
        if sign in HAN_DIGITS:
            digit = HAN_DIGITS[sign]
        elif HAN_TIMES[sign] >= HAN_TIMES["万"]:
            total, section, digit = (total + section + digit) * HAN_TIMES[sign], 0, 0
        else:
            section, digit = section + (digit or 1) * HAN_TIMES[sign], 0
    return total + section + digit


def numbers_in(text: str, language: str) -> list[Number]:
    """The numbers that a text states, in figures, in words of its language or in Chinese numerals. "One" is none."""
    found = list(_figures(text))
    taken = {place for number in found for place in range(number.start, number.end)}
    for start, end, value in _worded(text, CARDINAL_WORDS.get(language, {}), units_first=language == "arabic"):
        if value > 1 and start not in taken:
            found.append(Number(start, end, frozenset({Decimal(value)})))
    for word in WORD.finditer(text):
        if ordinal := ORDINAL_WORDS.get(language, {}).get(folded(word[0])[0]):
            found.append(Number(*word.span(), frozenset({Decimal(ordinal)})))
    for run in re.finditer(HAN_NUMBER, text):
        value = han_number(run[0])
        counts = text[run.end() : run.end() + 1] in HAN_COUNTED or text.startswith("分钟", run.end())
        counts = counts or text[: run.start()].endswith("第")
        if value > 1 and counts and run.start() not in taken:
            found.append(Number(*run.span(), frozenset({Decimal(value)})))
    return sorted(found)


def values_in(text: str, language: str) -> set[Value]:
    """All that a text can be taken to say in numbers, read in every language, articles and pairs included."""
    known = {value for number in numbers_in(text, language) for value in number.values}
    known |= {Decimal(han_number(run)) for run in re.findall(HAN_NUMBER, text)}
    loose = ANY_NUMBER | LIKE_NUMBERS
    for word in WORD.findall(folded(text)[0]):
        for form in (word, word[1:], word[2:], word[3:]) if word[0] in "وبلا" else (word,):
            if form in loose:
                known.add(Decimal(loose[form]))
    return known


def _figures(text: str) -> Iterator[Number]:
    for figure in FIGURE.finditer(text):
        written = figure[0][: figure.start("half") - figure.start()] if figure["half"] else figure[0]
        written = written[: figure.start("scale") - figure.start()] if figure["scale"] else written
        values = _readings(re.sub(r"[\s'’]", "", written))
        if (figure["half"] or "").lower().startswith("p"):
            values |= {value + 12 if isinstance(value, Decimal) else _later(value) for value in values}
        scale = folded(figure["scale"] or "")[0]
        times = (SCALES | HINDI_SCALES | HAN_TIMES).get(scale) or ANY_NUMBER.get(scale, 0)
        if times >= HUNDRED:
            values = {value * times for value in values if isinstance(value, Decimal)} or values
        end = figure.end() if times >= HUNDRED or figure["half"] else figure.start() + len(written.rstrip())
        yield Number(figure.start(), end, frozenset(values))


def _readings(written: str) -> set[Value]:
    if ":" in written:
        hour, *rest = written.split(":")
        time: set[Value] = {":".join([str(int(hour)), *rest])}
        return time | {Decimal(hour)} if set("".join(rest)) == {"0"} else time
    marks = re.findall("[.,]", written)
    groups = re.split("[.,]", written)
    in_thousands = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        return {Decimal("".join(groups[:-1]) + "." + groups[-1])}
    if len(marks) > 1:
        return {Decimal("".join(groups))} if in_thousands else {written}
    plain: set[Value] = {Decimal(".".join(groups))}
    return plain | {Decimal("".join(groups))} if marks and in_thousands and groups[0].strip("0") else plain


def _later(time: str) -> str:
    hour, colon, rest = time.partition(":")
    return f"{int(hour) + 12}{colon}{rest}" if colon else time


def _worded(text: str, known: dict[str, int], *, units_first: bool) -> Iterator[tuple[int, int, int]]:
    """Rows of number words that stand next to each other, and what each row comes to."""
    row: list[tuple[int, int, int]] = []
    joined_at = -1
    for word in WORD.finditer(text):
        said = folded(word[0])[0]
        value = known.get(said)
        if value is None and units_first:
            value = next(
                (known[said[cut:]] for cut in (1, 2) if said[:cut] in ("و", "ب", "ل", "ال") and said[cut:] in known),
                None,
            )
        if value is not None and (not row or text[max(row[-1][1], joined_at) : word.start()].strip(" -") == ""):
            row.append((word.start(), word.end(), value))
        elif value is not None:
            yield from _row(row, units_first)
            row = [(word.start(), word.end(), value)]
        elif row and said in JOINING:
            joined_at = word.end()
            continue
        elif row:
            yield from _row(row, units_first)
            row = []
        joined_at = -1
    yield from _row(row, units_first)


def _row(row: list[tuple[int, int, int]], units_first: bool) -> Iterator[tuple[int, int, int]]:
    for value in amounts([value for *_, value in row], units_first=units_first):
        yield row[0][0], row[-1][1], value
