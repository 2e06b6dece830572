"""Times: which span a question speaks of."""

from datetime import datetime

from memory.language.time.time_spans import time_span_in
from tests.tables import table

NOW = datetime(2023, 10, 4, 15)  # a Wednesday


@table(
    ("asked", "start", "end"),
    [
        ("Who was at dinner on May 3, 2023?", "2023-05-03", "2023-05-04"),
        ("on the 21st of December 2022", "2022-12-21", "2022-12-22"),
        ("What happened on 2023-05-08?", "2023-05-08", "2023-05-09"),
        ("Was war am 08.05.2023?", "2023-05-08", "2023-05-09"),
        ("What did Ada do in May?", "2023-05-01", "2023-06-01"),
        ("What did Ada do in December?", "2022-12-01", "2023-01-01"),
        ("in June 2023 and July 2023", "2023-06-01", "2023-08-01"),
        ("Where was I in 2022?", "2022-01-01", "2023-01-01"),
        ("What did I say yesterday?", "2023-10-03", "2023-10-04"),
        ("last week", "2023-09-25", "2023-10-02"),
        ("Wo war ich letzten Monat?", "2023-09-01", "2023-10-01"),
        ("Qu'est-ce que j'ai fait la semaine dernière ?", "2023-09-25", "2023-10-02"),
        ("¿Qué comí el 5 de mayo?", "2023-05-05", "2023-05-06"),
        ("o que fiz no ano passado", "2022-01-01", "2023-01-01"),
        ("il y a 2 mois", "2023-08-01", "2023-09-01"),
        ("two weeks ago", "2023-09-18", "2023-09-25"),
        ("last Friday", "2023-09-29", "2023-09-30"),
        ("on Wednesday", "2023-09-27", "2023-09-28"),
        ("Где я был в мае 2023?", "2023-05-01", "2023-06-01"),
        ("что я говорил вчера", "2023-10-03", "2023-10-04"),
        ("2022年3月，我去了哪里", "2022-03-01", "2022-04-01"),
        ("3月下旬去了哪里", "2023-03-21", "2023-04-01"),
        ("7月2日，我们", "2023-07-02", "2023-07-03"),
        ("我昨天说了什么", "2023-10-03", "2023-10-04"),
    ],
)
def test_a_question_names_a_span_of_time(asked: str, start: str, end: str) -> None:
    span = time_span_in(asked, NOW)

    assert span
    assert (str(span.start)[:10], str(span.end)[:10]) == (start, end)


@table("asked", ["", "may I ask April?", "I have 30 days", "Mark Summers", "call 2023456", "3/4 cup"])
def test_a_question_without_a_time_has_no_span(asked: str) -> None:
    assert time_span_in(asked, NOW) is None


def test_days_that_do_not_exist_and_endless_texts_are_harmless() -> None:
    assert time_span_in("2023-02-31", NOW) is None
    assert time_span_in("9999 years ago", NOW) is None
    assert time_span_in("900 years ago", NOW)
    assert time_span_in("1 " * 1_000_000, NOW) is None
