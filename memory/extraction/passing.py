"""Tells what passes from what lasts: a state of the moment is gone tomorrow, an event that has a date is not.

A statement passes when it tells how somebody is just now ("I'm hungry") or what is so today only ("it's quiet at work
today"). It does not pass when it names an event or a turn of a life, even today's ("my exam is today at 3", "I got the
job today"), or says that the state lasts ("I'm tired every day", "I have had headaches since May"). "Now" alone decides
nothing: "Priya is my manager now" lasts.
"""

import re
from dataclasses import dataclass

from memory.orders import pattern
from memory.sentences import LETTER, folded

LONGEST_STATEMENT = 1_000  # what is longer tells more than a mood


@dataclass(frozen=True, slots=True)
class Moment:
    """How one language speaks of the moment. Patterns as in `precheck_words`."""

    today: str  # a time that is over tomorrow
    state: str  # how somebody is, with or without a time
    event: str  # what is worth a date, and turns of a life
    lasts: str  # says that a state goes on
    spaced: bool = True


MOMENTS = (
    Moment(
        r"today|tonight|right now|at the moment|this (?:morning|afternoon|evening)|just now|for now|rn\b",
        r"(?:i'm|im|i am|we're|we are|i feel|feeling|i'm feeling|i am feeling)(?: (?:so|very|really|a bit|a little|"
        r"still|just|too|pretty|super|quite|kinda|kind of|totally)){0,2} (?:tired|exhausted|hungry|starving|thirsty|"
        r"bored|sleepy|sad|happy|angry|mad|sick|ill|confused|lost|stuck|late|busy|ready|done|back|here|sorry|excited|"
        r"nervous|stressed|awful|terrible|great|good|fine|ok|okay|bad|cold|hot|drunk|hungover|home now|waiting|"
        r"joking|kidding|on (?:the|my) (?:train|bus|way|phone)|in (?:a meeting|bed|the car)|at the (?:airport|"
        r"station|gym|office)|off)\b|i have (?:a (?:headache|cold|fever|hangover|stomach ache)|no time)|my (?:head|"
        r"back|stomach|throat|tooth|feet|eyes)\w* (?:hurt|ache|kill)|i (?:can't|cant|couldn't|didn't) sleep",
        r"birthday|wedding|married|engaged|anniversary|appointment|exam|flight|deadline|interview|surgery|operation|"
        r"funeral|born|birth|hired|fired|promoted|laid off|(?:new|first|last) (?:job|day|house|flat)|the job|quit|"
        r"resign|graduat|diagnos|pregnant|divorc|died|passed (?:away|my)|moving|moved|signed|bought|adopt|"
        r"\d{1,2}(?::\d\d| ?[ap]m)|at \d",
        r"always|every|since|for (?:\w+ ){1,2}(?:years|months|weeks)|chronic|usually|often|never|constantly|all the "
        r"time|liv(?:e|ing) in|work(?:ing)? (?:at|as|for)|study|each",
    ),
    Moment(
        r"hoy|esta (?:noche|mañana|tarde)|ahora mismo|en este momento|de momento",
        r"(?:estoy|ando|me siento|estamos)(?: (?:muy|tan|un poco|super|algo)){0,2} (?:cansad|agotad|aburrid|triste|"
        r"content|enfad|enferm|perdid|ocupad|nervios|list[oa]\b|aquí|mal|bien|estresad|confundid|en (?:el|la) "
        r"(?:tren|bus|cama))|tengo(?: (?:mucha?|un poco de))? (?:hambre|sed|sueño|frío|calor|fiebre|prisa)|me duele",
        r"cumpleaños|boda|me cas|cita|examen|vuelo|entrevista|operación|funeral|naci|contrat|despid|ascend|primer "
        r"día|graduo|embaraz|divorci|muri|me mud|nos mud|mudanza|a las \d|compr|adopt",
        r"siempre|cada|desde|todos los|crónic|nunca|a menudo|vivo|trabajo (?:en|de|como)|estudio",
    ),
    Moment(
        r"heute|gerade|im moment|momentan|diesen morgen|jetzt gleich",
        r"(?:ich bin|bin ich|bin|ich fühle? mich|wir sind)(?: (?:gerade|so|sehr|echt|total|heute|etwas|ein bisschen|"
        r"voll|noch)){0,3} (?:müde|erschöpft|hungrig|durstig|traurig|krank|genervt|verwirrt|beschäftigt|gestresst|"
        r"fertig|da\b|wieder da|unterwegs|im (?:zug|bus|bett|meeting)|nervös|aufgeregt|glücklich|sauer|platt|kaputt)|"
        r"(?:hab|habe|haben) (?:ich )?(?:gerade |so |voll |heute )?(?:kopfschmerzen|hunger|durst|fieber|bauchweh|"
        r"keine zeit|keine lust)|mir ist (?:so |gerade )?(?:langweilig|kalt|schlecht|warm|übel)|tut (?:mir )?(?:der|"
        r"die|das)? ?\w+ ?weh",
        r"geburtstag|hochzeit|heirat|termin|prüfung|flug|vorstellungsgespräch|operation|\bop\b|beerdigung|geboren|"
        r"geburt|gekündigt|eingestellt|befördert|erster tag|neuen job|schwanger|scheid|gestorben|umzug|gezogen|um \d|"
        r"\d uhr|gekauft",
        r"immer|jede|seit|chronisch|oft|nie\b|ständig|wohne|arbeite (?:bei|als)|studiere",
    ),
    Moment(
        r"aujourd'hui|ce (?:matin|soir)|cet après-midi|en ce moment|là maintenant|tout de suite",
        r"(?:je suis|je me sens|on est)(?: (?:très|trop|si|un peu|tellement|super|vraiment)){0,2} (?:fatigué|crevé|"
        r"épuisé|triste|malade|perdu|occupé|content|énervé|stressé|prêt|là\b|en retard|nerveu|heureu|mal\b|dans le "
        r"(?:train|bus))|j'ai (?:trop |très |un peu |super )?(?:faim|soif|froid|chaud|sommeil|mal (?:à|au)|de la "
        r"fièvre)|je m'ennuie",
        r"anniversaire|mariage|me marie|rendez-vous|rdv|examen|vol\b|entretien|opération|enterrement|(?:suis|est) "
        r"né\b|née\b|naissance|embauché|viré|promu|premier jour|démission|enceinte|divorc|mort|déménag|à \d+ ?h|"
        r"acheté|adopté",
        r"toujours|chaque|depuis|tous les|toutes les|chronique|jamais|souvent|j'habite|je travaille|j'étudie",
    ),
    Moment(
        r"hoje|agora mesmo|neste momento|no momento|esta (?:noite|manhã|tarde)",
        r"(?:estou|tô|to|me sinto|estamos)(?: (?:muito|tão|um pouco|super|meio|bem)){0,2} (?:cansad|exaust|entediad|"
        r"triste|feliz|doente|perdid|ocupad|nervos|pront|aqui|mal\b|bem\b|estressad|confus|com (?:muita )?(?:fome|"
        r"sede|sono|frio|febre|pressa|dor)|no (?:trem|ônibus))|dor de cabeça",
        r"aniversário|casamento|casar|caso\b|consulta|prova|voo|entrevista|cirurgia|enterro|nasc|contratad|demiti|"
        r"promovid|primeiro dia|grávida|divórcio|morreu|me mud|mudan|às \d|comprei|adot",
        r"sempre|cada|desde|tod[oa]s? (?:os|as|dia|semana|manhã)|crônic|nunca|moro|trabalho (?:em|como)|estudo",
    ),
    Moment(
        r"сегодня|прямо сейчас|в данный момент|этим утром|сегодняшн",
        r"(?:я |мы )?(?:сейчас |так |очень |немного |что-то ){0,3}(?:устал|голод|хочу (?:есть|спать|пить)|заболел|"
        r"расстроен|занят|растерян|готов\b|готова\b|опаздыва|нервнича|скучаю\b|сонн)|мне (?:очень |так )?(?:скучно|"
        r"грустно|плохо|холодно|жарко|хорошо|страшно)|болит|хочется (?:есть|спать|пить)",
        r"день рождения|свадьб|женюсь|выхожу замуж|приём|прием|экзамен|рейс|собеседовани|операци|похорон|родил|взяли "
        r"на|уволи|повысили|первый день|беремен|разв[её]л|развод|умер|перее|в \d|купил",
        r"всегда|кажд|с тех пор|давно|хроническ|часто|никогда|постоянно|живу|работаю|учусь|уже \d",
    ),
    Moment(
        r"اليوم|الليلة|هذا الصباح|في هذه اللحظة|حاليا",
        r"(?:أنا |إني )?(?:متعب|تعبان|جائع|جوعان|عطشان|نعسان|حزين|سعيد|مريض|مشغول|محتار|متوتر|غاضب|زعلان|جاهز)|أشعر "
        r"ب(?:الملل|التعب|الجوع|الحزن)|رأسي (?:يؤلمني|يوجعني)|عندي (?:صداع|حمى)",
        r"عيد ميلاد|زفاف|عرس|سأتزوج|موعد|امتحان|رحلة|مقابلة|عملية|جنازة|ولد|ولادة|وظيفة|استقلت|تخرج|حامل|طلاق|توفي|"
        r"انتقل|الساعة|اشتريت",
        r"دائما|كل (?:يوم|صباح|ليلة)|منذ|مزمن|غالبا|أبدا|أعيش|أسكن|أعمل|أدرس",
    ),
    Moment(
        r"आज|अभी|इस वक्त|इस समय|फिलहाल",
        r"थक[ाीे]|थक गय|भूख|प्यास|नींद आ|बोर हो|उदास|बीमार|व्यस्त|परेशान|खुश हूँ|सिर ?दर्द|सिर में दर्द|बुखार|ठंड लग|"
        r"गर्मी लग",
        r"जन्मदिन|शादी|सगाई|अपॉइंटमेंट|परीक्षा|एग्जाम|फ्लाइट|इंटरव्यू|ऑपरेशन|जन्म|नौकरी|इस्तीफ|गर्भवती|तलाक|निधन|"
        r"शिफ्ट|बजे|खरीदा",
        r"हमेशा|हर |से ही|सालों|महीनों|अक्सर|रोज़|कभी नहीं|रहत|काम करत",
    ),
    Moment(
        r"今天|今晚|今早|此刻|目前|刚才|刚刚|这会儿|现在(?=.{0,4}(?:很|好|在|想|有点|太))",
        r"(?:好|很|太|有点|超|非常|真)(?:累|饿|困|渴|无聊|难过|开心|生气|烦|忙|冷|热|紧张)|头疼|头痛|肚子疼|发烧|"
        r"感冒了|生病了|累死|饿死|困死|睡不着",
        r"生日|婚|预约|考试|航班|面试|手术|葬|出生|入职|辞职|升职|毕业|怀孕|去世|搬|点(?:钟|半)?开|"
        r"[\d一二三四五六七八九十]点|买了|第一天|录取",
        r"总是|每|一直|自从|经常|从来|长期|慢性|住在|工作|上班|老板|读",
        spaced=False,
    ),
)


def _any(name: str) -> re.Pattern[str]:
    """What all languages say for one thing."""
    spaced = "|".join(pattern(getattr(moment, name)) for moment in MOMENTS if moment.spaced)
    unspaced = "|".join(pattern(getattr(moment, name)) for moment in MOMENTS if not moment.spaced)
    return re.compile(rf"(?<![{LETTER}])(?:{spaced})|{unspaced}")


TODAY, STATE, EVENT, LASTS = (_any(name) for name in ("today", "state", "event", "lasts"))


def passes(statement: str) -> bool:
    """Whether a statement tells a state of the moment, or what is so today only, and no event."""
    if len(statement) > LONGEST_STATEMENT:
        return False
    text = folded(statement)[0]
    if not (STATE.search(text) or TODAY.search(text)):
        return False
    return not (EVENT.search(text) or LASTS.search(text))
