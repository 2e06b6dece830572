"""The words that dates are made of in nine languages, and a text as a row of the parts that its words play in them."""

import re
from typing import Final, NamedTuple

from memory.consolidation.number_words import ANY_NUMBER, HAN_NUMBER, han_number
from memory.retrieval.detection import likely_languages, script_language
from memory.retrieval.time_words import MONTHS, WEEKDAYS
from memory.sentences import LONGEST_READ, folded


class Meaning(NamedTuple):
    """The part of a word as one letter, over which the grammar in dates.py is written, and what the word comes to."""

    part: str
    number: int = 0
    unit: str = ""


class Part(NamedTuple):
    meaning: Meaning
    start: int
    end: int


# Months are M, those that mean something else as well m, short forms b. Weekdays are W, doubtful ones w.
MORE_MONTHS: Final = (
    "январю января январем يناير كانون_الثاني जनवरी",
    "февралю февралем فبراير شباط फरवरी फ़रवरी",
    "марту мартом مارس آذار मार्च",
    "апрелю апрелем أبريل إبريل نيسان अप्रैल",
    "маю мая مايو أيار ماي मई",
    "июню июнем يونيو حزيران जून",
    "июлю июлем يوليو تموز जुलाई",
    "августу августом أغسطس آب अगस्त",
    "сентябрю сентябрем سبتمبر أيلول सितंबर सितम्बर",
    "октябрю октябрем أكتوبر تشرين_الأول अक्टूबर अक्तूबर",
    "ноябрю ноябрем نوفمبر تشرين_الثاني नवंबर नवम्बर",
    "декабрю декабрем ديسمبر كانون_الأول दिसंबर दिसम्बर",
)
SHORT_MONTHS: Final = (
    "jan ene janv янв jän", "feb fev fevr févr фев", "mar mär мар", "apr abr avr апр", "", "jun июн", "jul juil июл",
    "aug août авг", "sep sept сен сент", "oct okt окт", "nov ноя нояб", "dec dez dic déc дек",
)  # fmt: skip
DOUBTFUL_MONTHS: Final = frozenset("may march mars mart marca marco maja maju mei".split())
MORE_WEEKDAYS: Final = (
    "понедельника понедельнику понедельником segunda_feira الاثنين الإثنين सोमवार 礼拜一 週一 禮拜一",
    "вторника вторнику вторником terça_feira الثلاثاء मंगलवार 礼拜二 週二 禮拜二",
    "среды среде средой quarta_feira الأربعاء الاربعاء बुधवार 礼拜三 週三 禮拜三",
    "четверга четвергу четвергом quinta_feira الخميس गुरुवार बृहस्पतिवार 礼拜四 週四 禮拜四",
    "пятница пятницы пятнице пятницей sexta_feira الجمعة शुक्रवार 礼拜五 週五 禮拜五",
    "суббота субботы субботе субботой السبت शनिवार sonnabend 礼拜六 週六 禮拜六",
    "воскресенья воскресенью воскресеньем الأحد रविवार इतवार 周天 礼拜日 礼拜天 週日 禮拜天",
)
DOUBTFUL_WEEKDAYS: Final = ("mon", "terca tue", "quarta wed среда", "quinta thu", "sexta", "sat", "sun")

# part, number, unit, and the phrases. Days are counted from today, weeks, months and years from the present ones.
PHRASES: Final = (
    ("S", 0, "day", "today|tonight|this morning|this afternoon|this evening|hoy|esta mañana|esta tarde|esta noche|heute"
     "|heute morgen|heute früh|aujourd'hui|ce matin|ce soir|cet après-midi|hoje|esta manhã|esta noite|сегодня"
     "|اليوم|الليلة|आज|今天|今日|今晚|今早"),
    ("S", 1, "day", "tomorrow|mañana|mañana por la mañana|morgen|morgen früh|demain|amanhã|завтра|غدا|غد"
     "|明天|明日|明晚|明早"),
    ("S", 2, "day", "day after tomorrow|the day after tomorrow|overmorrow|pasado mañana|übermorgen|après-demain"
     "|depois de amanhã|послезавтра|بعد غد|بعد غدا|بعد الغد|后天|後天"),
    ("S", 3, "day", "大后天"),
    ("S", -1, "day", "yesterday|last night|ayer|anoche|gestern|gestern morgen|gestern früh|hier soir|ontem|вчера|امس"
     "|أمس|البارحة|昨天|昨日|昨晚"),
    ("H", -1, "day", "hier"),  # here, in German
    ("S", -2, "day", "day before yesterday|the day before yesterday|anteayer|antes de ayer|vorgestern|avant-hier"
     "|anteontem|позавчера|أول أمس|أول من أمس|前天"),
    ("S", 2, "week", "week after next|the week after next"),
    ("Z", 2, "year", "后年|後年"),
    ("Z", 1, "year", "明年"),
    ("Z", 0, "year", "今年"),
    ("Z", -1, "year", "去年"),
    ("Z", -2, "year", "前年"),
    ("x", 0, "", "guten morgen|am morgen|jeden morgen|diesen morgen|der morgen|den morgen|eines morgens|nächsten morgen"
     "|la mañana|una mañana|cada mañana|buena mañana|this day|tomorrowland|前后|天上|天下|دائما"),
    # Before what they modify: a week by its number counted from this one, or by the day that comes or went by.
    ("<", 1, "", "next|nächste|nächsten|nächster|nächstes|nächstem|следующий|следующая|следующее|следующую|следующей"
     "|следующем|следующего|अगले|अगला|अगली|下|下个|下個"),
    ("<", 2, "", "übernächste|übernächsten|übernächster|übernächstes|下下|下下个"),
    ("<", -1, "", "上|上个|上個"),
    ("<", -2, "", "vorletzte|vorletzten|vorletzter|vorletztes|上上|上上个"),
    ("<", 0, "", "这|这个|本|這|這個"),
    ("<", 1, "coming", "coming|upcoming|this coming|kommende|kommenden|kommender|kommendes|ближайший|ближайшую"
     "|ближайшие|ближайшее|आने वाले|आगामी"),
    ("<", 0, "this", "this|diese|diesen|dieser|dieses|diesem|este|esta|ce|cet|cette|neste|nesta|этот|эта|эту|этой|этом"
     "|эти|этого|هذا|هذه|इस"),
    ("<", -1, "last", "last|past|this past|letzte|letzten|letzter|letztes|letztem|vergangene|vergangenen|vergangenes"
     "|vorige|vorigen|voriges|прошлый|прошлая|прошлое|прошлую|прошлой|прошлом|прошлого|पिछले|पिछला|पिछली"),
    ("=", 1, "coming", "próximo|próxima"),
    ("=", -1, "last", "pasado|pasada"),
    (">", 1, "", "prochain|prochaine"),
    (">", 1, "coming", "que viene|que vem|qui vient|que entra|القادم|القادمة|المقبل|المقبلة|الجاي|الجاية"),
    (">", -1, "last", "dernier|dernière|passé|passée|passado|passada|الماضي|الماضية|الفائت"),
    # Units; u alone counts as one of them: "через неделю".
    ("U", 0, "day", "day|days|día|días|tag|tage|tagen|jour|jours|dia|dias|дня|дней|дни|أيام|दिन|दिनों|天"),
    ("u", 0, "day", "день|يوم|يوما"),
    ("V", 2, "day", "يومين|يومان"),
    ("U", 0, "week", "week|weeks|semana|semanas|woche|wochen|semaine|semaines|неделя|недели|недель|неделе|الأسبوع"
     "|أسابيع|हफ्ते|हफ़्ते|हफ्ता|हफ़्ता|हफ्तों|सप्ताह|周|星期|个星期|礼拜|个礼拜|週"),
    ("u", 0, "week", "неделю|أسبوع|أسبوعا"),
    ("V", 2, "week", "أسبوعين|أسبوعان"),
    ("U", 0, "weekend", "weekend|fin de semana|wochenende|week-end|fim de semana|выходные|सप्ताहांत|周末|週末"
     "|عطلة نهاية الأسبوع|نهاية الأسبوع"),
    ("U", 0, "month", "month|months|mes|meses|monat|monate|monaten|mois|mês|месяца|месяцев|месяце|الشهر|أشهر|شهور"
     "|महीने|महीना|महीनों|माह|个月|個月"),
    ("u", 0, "month", "месяц|شهر|شهرا"),
    ("V", 2, "month", "شهرين|شهران"),
    ("U", 0, "year", "year|years|año|años|jahr|jahre|jahren|jahres|année|années|ans|ano|anos|лет|السنة|العام|سنوات"
     "|أعوام|साल|वर्ष|सालों"),
    ("u", 0, "year", "سنة|عام|سنه"),
    ("V", 2, "year", "سنتين|عامين"),
    ("j", 1, "year", "an"),
    ("y", 0, "year", "год|года|году|年"),
    ("q", 0, "month", "月|月份"),
    ("r", 0, "day", "日|号|號"),
    # What counts forwards (I before, R behind) and backwards (B before, A behind); h stands behind a month in Hindi.
    ("i", 0, "", "in|en|em|في"),
    ("I", 0, "", "dans|d'ici|dentro de|de aquí a|daqui a|через|بعد"),
    ("R", 0, "", "from now|from today|hence|बाद|后|後|以后|之后|以後|之後"),
    ("B", 0, "", "vor|il y a|hace|há|قبل|منذ"),
    ("A", 0, "", "ago|back|atrás|назад|тому назад|पहले|前|以前|之前"),
    ("h", 0, "", "में|को|से|तक"),
    ("p", 0, "", "on|by|until|till|from|before|after|during|early|late|mid|around|due|starting|am|vom|bis|zum|ab"
     "|im|gegen|anfang|mitte|ende|ende des|im jahr|el|para el|hasta el|hasta|antes del|del"
     "|a partir del|en el año|le|du|au|jusqu'au|avant le|dès|en l'an|no|na|até|a partir de|no dia|dia"
     "|el día|no ano de|в|во|на|с|до|к|по|после|начиная с|يوم|في يوم|في عام|في سنة|عام|في شهر|شهر|منذ عام|حتى|من"
     "|在|到|从|于|自"),
    ("p", -1, "", "since|seit|seit dem|desde|desde el|depuis|depuis le|desde o"),  # what has begun is over
    ("k", 0, "", "to|through|thru"),
    ("t", 0, "", "pm|uhr|o'clock|h|heures|horas|часов|बजे|点"),
    ("f", 0, "", "of|the|de|del|des|d'|de la|da|do|den|der|dem|la|les"),
    ("E", 0, "", "every|every other|each|most|good|black|ash|palm|easter|jeden|jede|jeder|cada|los|todos los|tous les"
     "|chaque|toda|todas as|todo|aos|às|каждый|каждую|каждое|каждой|по каждым|كل|हर|每|每个|隔|any|some"),
    ("o", 1, "", "first|primero|premier|primeiro|ersten|erste|первое|первого|पहली"),
)  # fmt: skip

# A finite past: the Friday of "I was there on Friday" is over, unless the sentence looks ahead as well.
PAST: Final = {
    language: frozenset(folded(words)[0].split())
    for language, words in {
        "english": "was were had did went met saw came got took made said told flew bought found began visited arrived",
        "german": "war waren hatte hatten ging kam wurde wurden gab traf flog gewesen gegangen gekommen getroffen",
        "spanish": "fue fui fueron fuimos era estuve estuvo tuve tuvo hice hizo vi llegó empezó conocí compré había",
        "french": "était étais étaient avait avais été allé allée venu venue vu arrivé arrivée rencontré acheté",
        "portuguese": "foi fui foram fomos era estava estive teve tive fiz fez vi chegou começou conheci comprei",
        "russian": "был была были было ходил ходила ездил ездила встретил встретила видел видела купил купила приехал",
        "arabic": "كان كانت كنت ذهبت ذهب التقيت رأيت وصلت اشتريت",
        "hindi": "था थी थे गया गयी गई गए किया मिला मिली",
    }.items()
}
AHEAD: Final = frozenset(
    folded(
        "will shall going gonna plan plans planning want should werde wird wirst werden muss soll voy vas va vamos van "
        "iré quiero vais vont vou vai vão quero буду будет будем будут хочу надо سوف سأذهب जाऊंगा जाऊंगी होगा होगी चाहता"
    )[0].split()
)


BLANKS: Final = str.maketrans("-'_", "   ")  # what holds the words of one phrase together


def key(phrase: str) -> str:
    return " ".join(folded(phrase)[0].translate(BLANKS).split())


def _lexicon() -> dict[str, Meaning]:
    known = {key(word): Meaning("c", value) for word, value in ANY_NUMBER.items() if value <= 999}
    for table, part in ((MONTHS, "M"), (WEEKDAYS, "W")):
        known |= {key(name): Meaning(part, number) for name, number in table.items()}
    for tables, part, first in ((MORE_MONTHS, "M", 1), (SHORT_MONTHS, "b", 1), (MORE_WEEKDAYS, "W", 0)):
        for number, names in enumerate(tables, start=first):
            known |= {key(form): Meaning(part, number) for form in names.split()}
    known |= {name: Meaning("m", known[name].number) for name in DOUBTFUL_MONTHS}
    known |= {name: Meaning("w", number) for number, names in enumerate(DOUBTFUL_WEEKDAYS) for name in names.split()}
    known |= {key(form): Meaning(*rest) for *rest, forms in PHRASES for form in forms.split("|")}  # type: ignore[arg-type]
    known |= {word: Meaning("a", 1) for word in "a an one un una une um uma ein eine einem einen einer".split()}
    known["an"] = Meaning("j", 1, "year")
    known["sept"] = Meaning("s", 9)
    return known


LEXICON: Final = _lexicon()
# How many words the longest phrase has that begins with a word.
LONGEST_PHRASE: Final = {
    phrase.split()[0]: len(phrase.split()) for phrase in sorted(LEXICON, key=lambda phrase: phrase.count(" "))
}
LONGEST_SIGNS: Final = 4
ORDINAL: Final = r"st|nd|rd|th|er|o|-?(?:го|е|ое|ого|му)"
TOKEN: Final = re.compile(
    r"(?P<ymd>(?<![a-z\d_.-])(?:19|20)\d\d([-/.])\d{1,2}\2\d{1,2}(?![\d-]))"
    r"|(?P<dmy>(?<![a-z\d_.-])\d{1,2}([./-])\d{1,2}\4(?:(?:19|20)\d\d|\d\d)(?![\d-]|[./]\d))"
    r"|(?P<ym>(?<![a-z\d_.-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\w-]))"
    r"|(?P<dm>(?<![a-z\d_.,])\d{1,2}\.\d{1,2}\.(?!\d))"
    rf"|(?P<number>(?<![a-z_\d])\d+)(?:(?P<ordinal>{ORDINAL})(?![^\W_]))?(?![a-z_\d]|[.,:/]\d)"
    r"|(?P<sign>[\u3007\u3400-\u9fff])|(?P<word>[^\W\d_](?:[^\W\d_\u3007\u3400-\u9fff]|[\u0900-\u0963])*)"
    r"|\d[\w.,:/]*|(?P<stop>[.!?。！？؟।\n])|(?P<between>(?<=[^\W\d])[-'](?=[^\W\d]))|(?P<mark>[^\s\w]|_)"
)
HAN_RUN: Final = re.compile(HAN_NUMBER)


def beginning(text: str) -> str:
    """What is read of a text: whole words, so that "tomorrow" is not found in the middle of something."""
    if len(text) <= LONGEST_READ:
        return text
    kept = text[:LONGEST_READ]
    return kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)] or kept


def parts_of(said: str) -> list[Part]:
    """The words of a folded text as parts of dates; each word that plays none is an x."""
    tokens = [token for token in TOKEN.finditer(said) if not token["between"]]
    language = _language(tokens)
    past = PAST.get(language, frozenset())
    parts: list[Part] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        start, end, taken = token.start(), token.end(), 1
        if token["word"]:
            taken, meaning = _phrase(tokens, at)
            end = tokens[at + taken - 1].end()
            if meaning.part == "H" and language != "french":
                meaning = Meaning("x")
            if meaning.part == "x" and taken == 1:
                meaning = Meaning("z" if token[0] in past else "v" if token[0] in AHEAD else "x")
        elif token["sign"]:
            taken, meaning = _signs(said, start)
            end = start + taken
        else:
            meaning = _figure(token)
        parts.append(Part(meaning, start, end))
        at += taken
    return parts


def _language(tokens: list[re.Match[str]]) -> str:
    words = [token[0] for token in tokens[:400] if token["word"]]
    latin = likely_languages(words)
    return latin[0] if latin else next((known for word in words if (known := script_language(word))), "")


def _phrase(tokens: list[re.Match[str]], at: int) -> tuple[int, Meaning]:
    """How many words from here on are one phrase, the longest that is known, and what it means."""
    word = tokens[at][0]
    for count in range(min(LONGEST_PHRASE.get(word, 0), len(tokens) - at), 0, -1):
        if all(token["word"] for token in tokens[at : at + count]):
            phrase = " ".join(token[0] for token in tokens[at : at + count])
            if known := LEXICON.get(phrase):
                return count, known
    # Arabic writes "and", "on" and "for" together with the word that follows.
    return 1, LEXICON.get(word[1:], Meaning("x")) if word[0] in "وبلف" and len(word) > 3 else Meaning("x")


def _signs(said: str, start: int) -> tuple[int, Meaning]:
    for count in range(LONGEST_SIGNS, 0, -1):
        phrase = said[start : start + count]
        if len(phrase) == count and phrase in LEXICON:
            return count, LEXICON[phrase]
    if run := HAN_RUN.match(said, start):
        value = han_number(run[0])
        return len(run[0]), Meaning("Y" if 1900 <= value < 2100 and len(run[0]) == 4 else "c", value)
    return 1, Meaning("x")


def _figure(token: re.Match[str]) -> Meaning:
    """What a number or a mark can be in a date; a full date of figures carries itself as its unit."""
    if token["ymd"] or token["dmy"] or token["dm"] or token["ym"]:
        kind = "K" if token["ym"] else "G" if token["dm"] else "F"
        figures = re.findall(r"\d+", token[0])
        return Meaning(kind, 0, "-".join(figures if token["ymd"] or token["ym"] else figures[::-1]))
    if token["number"] and len(token["number"]) <= 4:
        value = int(token["number"])
        if 1 <= value <= 31 and len(token["number"]) <= 2:
            return Meaning("O" if token["ordinal"] else "d", value)
        if 1900 <= value < 2100:
            return Meaning("Y", value)
        return Meaning("n" if value <= 999 else "x", value)
    if token["stop"]:
        return Meaning("." if token[0] == "." else "!")
    return Meaning("," if token[0] in ",،、" else "-" if token["mark"] else "x")
