"""Drift: what a model's sentence states and its sources do not."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.time.numbers import combine_numbers, numbers_in, parse_numerals
from tests.tables import table

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)  # a Wednesday

FAITHFUL = [
    # figures that are neither a number nor a time
    ("The server of the user listens on 127.0.0.1:8080.", "my server listens on 127.0.0.1:8080"),
    # dates that are written out
    ("The user flies to Rome on 2026-11-27.", "I fly to Rome next Friday"),
    ("The user flies to Rome on 27 November.", "I fly to Rome next Friday"),
    ("The user flies to Rome next Friday (2026-11-27).", "I fly to Rome next Friday"),
    ("The user travels in November 2026.", "I fly to Rome next Friday"),
    ("The user travels in 2026.", "I fly to Rome next Friday"),
    ("The user is away from 2026-11-23 to 2026-11-29.", "I'm away next week"),
    ("Visited the dentist on November 17, 2026.", "yesterday I was at the dentist"),
    ("The contract ends in December 2026.", "my contract ends next month"),
    ("The user's birthday is on March 15.", "my birthday is 15.03.1985"),
    ("The user met Ada on 2026-11-13.", "on Friday I ran into Ada"),
    ("Der Nutzer fliegt am 27.11.2026 nach Rom.", "Nächsten Freitag fliege ich nach Rom"),
    ("Der Nutzer zieht am 20. November um.", "Übermorgen ziehe ich um"),
    ("El usuario viaja a Lima el 20 de noviembre de 2026.", "pasado mañana viajo a Lima"),
    ("L'utilisateur part à Lyon le 27 novembre 2026.", "Je pars à Lyon vendredi prochain"),
    ("O usuário viaja para Lisboa em 20/11/2026.", "Na próxima sexta viajo para Lisboa"),
    ("Пользователь едет в Казань 2 декабря 2026 года.", "Через две недели еду в Казань"),
    ("المستخدم يسافر في 2026-11-19.", "سأسافر غدا إلى دبي"),
    ("उपयोगकर्ता 2026-11-27 को दिल्ली जाएगा।", "मैं अगले शुक्रवार दिल्ली जाऊंगा"),
    ("用户将于2026年11月27日去上海。", "我下周五去上海"),
    ("用户12月2日出发。", "我两周后出发"),
    ("The user leaves tomorrow.", "I'm leaving tomorrow"),
    # numbers
    ("The user has 3 children.", "I have three children"),
    ("The user has three children.", "we have 3 kids"),
    ("The rent is 1,500 euros.", "my rent is 1500 EUR"),
    ("The user earns 1500 a month.", "I earn 1.500 a month"),
    ("The user paid 25,000 dollars.", "it cost twenty-five thousand dollars"),
    ("The user wakes up at 17:00.", "I get up at 5 pm, don't laugh"),
    ("The user lives on the 3rd floor.", "I live on the third floor"),
    ("The budget is 15000 euros.", "our budget is 15k euros"),
    ("The user has two dogs.", "a couple of dogs, that's my household"),
    ("The user turned 40 and runs 10 km.", "I'm 40 now and I still run 10km a day"),
    ("Der Nutzer zahlt 1.500 Euro Miete.", "Ich zahle 1500 Euro Miete"),
    ("Der Nutzer hat 25 Kollegen.", "Ich habe fünfundzwanzig Kollegen"),
    ("El usuario tiene 35 años.", "tengo treinta y cinco años"),
    ("L'utilisateur a 90 livres.", "j'ai quatre-vingt-dix livres"),
    ("O usuário tem 2 irmãs.", "tenho duas irmãs"),
    ("У пользователя 25 учеников.", "у меня двадцать пять учеников"),
    ("لدى المستخدم 3 أطفال.", "عندي ثلاثة أطفال"),
    ("उपयोगकर्ता के 3 बच्चे हैं।", "मेरे तीन बच्चे हैं"),
    ("用户有3个孩子。", "我有三个孩子"),
    ("用户有二十五本书。", "我有25本书"),
    # names, inflected
    ("The user's sister Anna lives in Berlin.", "my sister anna lives in berlin"),
    ("Anna's dog is called Rex.", "Anna has a dog, Rex"),
    ("The user likes Italian food.", "I love the food in Italy"),
    ("Works at Google and loves Python.", "I work for Google, python is my favourite language"),
    ("Loves Rome.", "I adore Rome"),
    ("Yesterday Anna visited Bob.", "Bob got a visit from Anna yesterday"),
    ("Vegetarian since 2015.", "I stopped eating meat in 2015"),
    ("The assistant suggested to the User a trip to Paris.", "how about Paris?"),
    ("Coffee is the user's favourite drink.", "I drink coffee all day"),
    ("Annas Hund heißt Rex.", "Anna hat einen Hund, er heißt Rex"),
    ("Der Nutzer mag lange Spaziergänge im Wald.", "Ich gehe gern stundenlang im Wald spazieren"),
    ("Der Nutzer arbeitet als Lehrer in Hamburg.", "Ich bin Lehrer und lebe in Hamburg"),
    ("Die Nutzerin hat eine Allergie gegen Nüsse.", "Ich vertrage keine Nüsse"),
    ("Der Nutzer sucht eine neue Wohnung mit Balkon.", "Ich suche was Neues zum Wohnen, Balkon wäre schön"),
    ("Peter wohnt bei seiner Schwester.", "Peter lebt mit seiner Schwester zusammen"),
    ("Der Nutzer trinkt Kaffee ohne Zucker.", "kaffee nur schwarz"),
    ("La hermana de la usuaria se llama Lucía.", "mi hermana lucia"),
    ("Vive en Madrid con Pablo.", "vivo con Pablo, en Madrid"),
    ("L'utilisatrice habite près d'Avignon.", "j'habite à côté d'Avignon"),
    ("A Mariana trabalha em Lisboa.", "minha irmã Mariana trabalha em Lisboa"),
    ("Сестра пользователя живёт в Москве с Мариной.", "моя сестра Марина, Москва"),
    ("Пользователь ездил к Павлу.", "был у друга, его зовут Павел"),
    ("Пользователь встретился с Дмитрием.", "виделся сегодня, Дмитрий звонил"),
    ("المستخدم يعمل في Google.", "أعمل في google"),
    ("用户喜欢读《红楼梦》。", "我最喜欢的书是红楼梦"),
    ("Μένει με τον Αλέξανδρο.", "Ο Αλέξανδρος μένει εδώ."),
    ("उपयोगकर्ता Infosys में काम करता है।", "मैं Infosys में हूं"),
]

DRIFTED = [
    ("The server of the user listens on 127.0.0.1:8081.", "my server listens on 127.0.0.1:8080", ["127.0.0.1:8081"]),
    # a changed day
    ("The user flies to Rome on 2026-11-20.", "I fly to Rome next Friday", ["2026-11-20"]),
    ("The user flies on 28 November.", "I fly to Rome next Friday", ["28 November"]),
    ("The user travels in October 2026.", "I fly to Rome next Friday", ["October 2026"]),
    ("The user moved in 2019.", "I moved in 2018", ["2019"]),
    ("The user leaves tomorrow.", "I'm leaving next week", ["tomorrow"]),
    ("The user leaves next week.", "I'm leaving soon", ["next week"]),
    ("The user's birthday is on March 16.", "my birthday is 15.03.1985", ["March 16"]),
    ("The user married on 2015-03-15.", "we married on 15 March 2014", ["2015-03-15"]),
    ("Der Nutzer fliegt am 28.11.2026.", "Nächsten Freitag fliege ich", ["28.11.2026"]),
    ("El usuario viaja el 21 de noviembre.", "pasado mañana viajo a Lima", ["21 de noviembre"]),
    ("L'utilisateur part le 26 novembre 2026.", "Je pars vendredi prochain", ["26 novembre 2026"]),
    ("O usuário viaja em 21/11/2026.", "Na próxima sexta viajo", ["21/11/2026"]),
    ("Пользователь едет 3 декабря.", "Через две недели еду в Казань", ["3 декабря"]),
    ("المستخدم يسافر في 2026-11-20.", "سأسافر غدا إلى دبي", ["2026-11-20"]),
    ("उपयोगकर्ता 2026-11-28 को जाएगा।", "मैं अगले शुक्रवार दिल्ली जाऊंगा", ["2026-11-28"]),
    ("用户将于2026年11月20日去上海。", "我下周五去上海", ["2026年11月20日"]),
    ("她生于一九八五年五月三日。", "她的生日是5月3日", ["一九八五年五月三日"]),
    # a changed number
    ("The user has 4 children.", "I have three children", ["4"]),
    ("The user has four children.", "we have 3 kids", ["four"]),
    ("The rent is 1,600 euros.", "my rent is 1500 EUR", ["1,600"]),
    ("The rent is 15.00 euros.", "my rent is 1500 EUR", ["15.00"]),
    ("The user wakes up at 6:30.", "I get up at 6:15", ["6:30"]),
    ("Der Nutzer hat drei Hunde.", "Ich habe zwei Hunde", ["drei"]),
    ("El usuario tiene 36 años.", "tengo treinta y cinco años", ["36"]),
    ("L'utilisateur a 80 livres.", "j'ai quatre-vingt-dix livres", ["80"]),
    ("O usuário tem três irmãs.", "tenho duas irmãs", ["três"]),
    ("У пользователя двадцать шесть учеников.", "у меня 25 учеников", ["двадцать шесть"]),
    ("لدى المستخدم 4 أطفال.", "عندي ثلاثة أطفال", ["4"]),
    ("उपयोगकर्ता के चार बच्चे हैं।", "मेरे तीन बच्चे हैं", ["चार"]),
    ("用户有四个孩子。", "我有三个孩子", ["四"]),
    # a changed or invented name
    ("The user's sister Hannah lives in Berlin.", "my sister Anna lives in Berlin", ["Hannah"]),
    ("The user's brother Paula is a doctor.", "my brother Paul is a doctor", ["Paula"]),
    ("The user moved to Munich with Ada.", "Ada and I moved to Hamburg", ["Munich"]),
    ("Bob likes green tea.", "Ada likes green tea", ["Bob"]),
    ("Bob's sister is a doctor.", "my sister is a doctor", ["Bob"]),
    ("Bob is moving house.", "I am moving house", ["Bob"]),
    ("Bob and Ada are married.", "Ada is married", ["Bob"]),
    ("Bob Miller called.", "Ada Miller called", ["Bob"]),
    ("The user flew on an A320.", "I flew on an A380", ["A320"]),
    ("The user works at NASA.", "I work on rockets", ["NASA"]),
    ("Der Nutzer fliegt mit Peter nach Rom.", "Ich fliege mit Anna nach Rom", ["Peter"]),
    ("Der Nutzer wohnt in Bremen.", "Ich wohne in Hamburg", ["Bremen"]),
    ("La hermana se llama Lucía.", "mi hermana se llama Marta", ["Lucía"]),
    ("El hijo se llama Mario.", "mi hija se llama Maria", ["Mario"]),
    ("L'utilisatrice habite près d'Avignon.", "j'habite à côté de Lyon", ["Avignon"]),
    ("A irmã dele trabalha no Porto.", "minha irmã trabalha em Lisboa", ["Porto"]),
    ("Пользователь встретился с Машей.", "виделся сегодня с Мишей", ["Машей"]),
    ("Сестра живёт в Казани.", "сестра живёт в Москве", ["Казани"]),
    ("المستخدم يعمل في Microsoft.", "أعمل في Google", ["Microsoft"]),
    ("用户喜欢读《西游记》。", "我最喜欢的书是红楼梦", ["西游记"]),
    ("उपयोगकर्ता Wipro में काम करता है।", "मैं Infosys में हूं", ["Wipro"]),
]


@table(("sentence", "said"), FAITHFUL)
def test_a_faithful_sentence_states_nothing_of_its_own(sentence: str, said: str) -> None:
    assert unsupported_claims(sentence, [DriftSource(said, SAID_AT)]) == []


@table(("sentence", "said", "invented"), DRIFTED)
def test_a_drifted_sentence_is_told_by_what_no_source_states(sentence: str, said: str, invented: list[str]) -> None:
    assert unsupported_claims(sentence, [DriftSource(said, SAID_AT)]) == invented


def test_any_of_the_sources_may_state_it_and_each_counts_from_its_own_day() -> None:
    tuesday = datetime(2026, 11, 24, 20, tzinfo=UTC)
    sources = [DriftSource("Anna comes tomorrow", SAID_AT), DriftSource("Bob comes tomorrow, with 4 friends", tuesday)]

    assert unsupported_claims("Anna came on 2026-11-19 and Bob with 4 friends on 2026-11-25.", sources) == []
    assert unsupported_claims("Anna and Bob came on 2026-11-20.", sources) == ["2026-11-20"]


def test_all_that_a_sentence_states_is_unfounded_where_there_are_no_sources() -> None:
    assert unsupported_claims("The user met Anna on 2026-11-19, yesterday, with 4 friends.", []) == [
        "Anna",
        "2026-11-19",
        "yesterday",
        "4",
    ]


@table(
    "called",
    [
        "The User asked the Assistant.",
        "Der Nutzer fragt den Assistenten, und die Nutzerin hört zu.",
        "La Usuaria y el Asistente hablan.",
        "Ici l'Utilisatrice parle.",
        "Aqui o Usuário fala com a Assistente.",
        "Так сказал Пользователь Ассистенту.",
        "تكلم المستخدم مع المساعد.",
        "उपयोगकर्ता ने सहायक से बात की।",
        "用户和助手聊天。",
    ],
)
def test_what_the_program_calls_the_people_is_no_name(called: str) -> None:
    assert unsupported_claims(called, [DriftSource("hm", SAID_AT)]) == []


@table("fragment", ["Drinks a lot.", "Prefers window seats.", "Recently moved.", "Afraid of dogs."])
def test_a_capital_at_the_start_alone_makes_no_name(fragment: str) -> None:
    assert unsupported_claims(fragment, [DriftSource("hm", SAID_AT)]) == []


@given(st.text(max_size=200))
def test_a_sentence_that_a_source_says_word_for_word_is_founded(text: str) -> None:
    assert unsupported_claims(text, [DriftSource(text, SAID_AT)]) == []


@given(st.integers(min_value=2, max_value=10**9), st.integers(min_value=2, max_value=10**9))
def test_a_number_founds_itself_however_it_is_grouped_and_no_other(stated: int, meant: int) -> None:
    source = DriftSource(f"it cost {stated} euros", SAID_AT)

    for written in (f"{meant}", f"{meant:,}", f"{meant:,}".replace(",", "."), f"{meant:,}".replace(",", " ")):
        assert (unsupported_claims(f"It cost {written} euros.", [source]) == []) == (stated == meant)


@table(
    ("language", "words", "number"),
    [
        ("english", "three hundred and twenty-five thousand", 325_000),
        ("spanish", "treinta y cinco mil", 35_000),
        ("german", "siebenundvierzig", 47),
        ("french", "quatre-vingt-dix-sept", 97),
        ("portuguese", "duzentos e vinte e dois", 222),
        ("russian", "двадцать пять тысяч", 25_000),
        ("arabic", "خمسة وعشرون", 25),
        ("hindi", "दो हज़ार", 2_000),
        ("chinese", "三百二十个", 320),
    ],
)
def test_number_words_come_to_their_number(language: str, words: str, number: int) -> None:
    assert [set(map(str, found.values)) for found in numbers_in(words, language)] == [{str(number)}]


def test_number_words_next_to_each_other_are_one_number_or_several() -> None:
    assert combine_numbers([20, 5]) == [25]
    assert combine_numbers([5, 20]) == [5, 20]
    assert combine_numbers([5, 20], units_first=True) == [25]
    assert combine_numbers([2, 3, 1000]) == [2, 3000]
    assert combine_numbers([]) == []


@given(st.integers(min_value=1, max_value=99_999))
def test_chinese_numerals_come_to_what_they_were_written_from(number: int) -> None:
    digits = "零一二三四五六七八九"
    spelt = "".join(
        digits[int(figure)] + unit
        for figure, unit in zip(f"{number:05}", ("万", "千", "百", "十", ""), strict=True)
        if figure != "0"
    )

    assert parse_numerals(spelt) == number
