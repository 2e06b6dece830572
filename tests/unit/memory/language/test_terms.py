"""Terms: what makes two texts of any script comparable."""

from memory.language.detection import likely_languages
from memory.language.terms import fold, index_terms, query_terms, terms, words
from tests.tables import table


@table(
    ("question", "statement"),
    [
        ("Where do I live?", "Ada lives in Lisbon"),
        ("What's Alec's job?", "Alec is a baker"),
        ("cafe", "I love the Café Central"),
        ("¿Dónde está el gato?", "El gato duerme"),
        ("Straße", "STRASSE 5"),
        ("Где Ёлка?", "ёлка стоит в углу"),
        ("我住在哪里", "我住在上海"),
        ("आपकी बिल्ली कहाँ है", "मेरी बिल्ली काली है"),
        ("แมวอยู่ไหน", "แมวของฉัน"),
    ],
)
def test_a_question_shares_a_term_with_its_answer(question: str, statement: str) -> None:
    assert set(terms(question)) & set(terms(statement))


def test_only_stop_words_are_better_than_nothing() -> None:
    assert terms("who is it") == ["who", "is", "it"]


def test_case_accents_and_width_do_not_tell_words_apart() -> None:
    assert fold("ＣＡＦÉ") == "cafe"
    assert words("Alec is my boss!") == words("alec IS my boss")
    assert words("I am in Paris") != words("I was in Paris")


@table(
    ("question", "text"),
    [
        ("What was she painting?", "I painted a sunrise last year"),
        ("Wo schlafen meine Katzen?", "Die Katze schläft auf dem Sofa"),
        ("¿Dónde viven mis hermanas?", "Mi hermana se mudó a Sevilla"),
        ("Quels chevaux avons-nous vus ?", "Le cheval était dans le pré"),
        ("Onde trabalham os meus irmãos?", "O meu irmão trabalha no porto"),
        ("Dove abitano i miei gatti?", "Il gatto dorme sulla sedia"),
        ("Waar zijn de huizen van mijn ouders?", "Het huis van mijn ouder broer is oud"),
        ("Где мои кошки?", "Вчера мы взяли кошку из приюта"),
        ("Kedilerim nerede?", "Dün bir kedi aldım ve çok mutluyum"),
        ("Gdzie są moje książki?", "Kupiłem dla ciebie książkę o kotach"),
        ("أين الكتاب؟", "اشتريت كتابا جديدا"),
        ("मेरी बिल्लियाँ कहाँ हैं", "मेरी बिल्ली काली है"),
        ("Πού είναι οι γάτες μου;", "Η γάτα μου κοιμάται"),
        ("我的猫住在哪里", "猫住在上海"),
        ("猫はどこに住んでいますか", "東京に住んでいます"),
        ("고양이는 어디에 있어요", "고양이가 침대에서 자요"),
        ("แมวอยู่ไหน", "แมวของฉันดำ"),
        ("l'anniversaire de ma mère", "son anniversaire est en mai"),
        ("Où est Anna ?", "lorsqu'Anna est dans la maison avec le chat"),
        ("Dov'è Anna?", "quand'Anna viveva nella casa con il gatto"),
        ("Where does Hugo live?", "Hugo vive en Madrid con su hermana"),
        ("Katzen", "Meine Katze ist grau"),
        ("manana con los ninos", "Mañana vienen los niños"),
    ],
)
def test_an_inflected_question_finds_an_inflected_text(question: str, text: str) -> None:
    assert set(query_terms(question)) & set(index_terms(text))


@table(
    ("line", "language"),
    [
        ("I was in Rome with the kids", "english"),
        ("Ich war gestern in Rom", "german"),
        ("ayer estuve en Roma con mis hijos", "spanish"),
        ("hier j'étais à Rome", "french"),
        ("ontem fui com o meu filho", "portuguese"),
        ("ieri sono stato con mio figlio", "italian"),
        ("gisteren was ik met mijn zoon in Rome", "dutch"),
        ("wczoraj byłem z synem", "polish"),
        ("dün oğlum ile çok güldük", "turkish"),
        ("igår var jag med min son", "swedish"),
    ],
)
def test_a_line_is_known_by_its_small_words(line: str, language: str) -> None:
    assert likely_languages(line.split())[0] == language


@table("name", ["C++", "C#", "snake_case", "__init__", "ada@example.org", "v1.2.3", "2023-05-08", "10:30"])
def test_a_name_of_signs_is_found_whole(name: str) -> None:
    assert name.casefold() in set(query_terms(f"what about {name}?")) & set(index_terms(f"We spoke of {name}, twice."))


def test_a_question_asks_once_for_what_it_is_about() -> None:
    assert query_terms("Where does the dog sleep, the dog?") == ["dog", "sleep"]
    assert query_terms("¿Dónde está?") == ["dond", "esta"]
    assert query_terms("") == index_terms(" \x00 ") == []


def test_a_long_text_of_anything_gives_short_terms() -> None:
    texts = [
        *("dear " * 2_000, "a" * 10_000, "a_" * 5_000, "a." * 5_000, "上海" * 2_000, "é́" * 3_000, "’" * 4_000),
        " ".join(f"ق{at:o}" for at in range(2_000)),
        " ".join(f"w{at:x}ing" for at in range(2_000)),
    ]

    long = {term for text in texts for term in index_terms(text) if len(term) > 64 or " " in term or "\x00" in term}
    assert long == set()
