"""Terms: what makes two texts of any script comparable."""

import pytest

from memory.retrieval.languages import fold, terms, words


@pytest.mark.parametrize(
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
