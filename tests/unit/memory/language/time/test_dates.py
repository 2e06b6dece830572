"""Dates: which days a text names, and how they are written out."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from memory.language.lexicon import languages
from memory.language.lexicon.section import LexiconSection
from memory.language.time.date_parts import MEANINGS, date_lexicon
from memory.language.time.dates import anniversary, annotate_dates, dates_in
from tests.tables import table

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)  # a Wednesday

WRITTEN_OUT = [
    ("I fly to Rome next Friday", "I fly to Rome next Friday (2026-11-27)"),
    ("today and tomorrow", "today (2026-11-18) and tomorrow (2026-11-19)"),
    ("the day after tomorrow", "the day after tomorrow (2026-11-20)"),
    ("I was there yesterday.", "I was there yesterday (2026-11-17)."),
    ("See you on Friday!", "See you on Friday (2026-11-20)!"),
    ("last Friday", "last Friday (2026-11-13)"),
    ("Friday next week", "Friday next week (2026-11-27)"),
    ("next week", "next week (2026-11-23 to 2026-11-29)"),
    ("this weekend", "this weekend (2026-11-21 to 2026-11-22)"),
    ("next month, next year", "next month (2026-12), next year (2027)"),
    ("last year", "last year (2025)"),
    ("in two weeks", "in two weeks (2026-12-02)"),
    ("in 3 days", "in 3 days (2026-11-21)"),
    ("a week from now", "a week from now (2026-11-25)"),
    ("ten days ago", "ten days ago (2026-11-08)"),
    ("twenty-two days ago", "twenty-two days ago (2026-10-27)"),
    ("in a month", "in a month (2026-12)"),
    ("two years ago", "two years ago (2024)"),
    ("May 12", "May 12 (2027-05-12)"),
    ("my birthday is May 12 and hers", "my birthday is May 12 (2027-05-12) and hers"),
    ("come on 12 may please", "come on 12 may (2027-05-12) please"),
    ("the 12th of May", "the 12th of May (2027-05-12)"),
    ("in May", "in May (2027-05)"),
    ("last May, since March", "last May (2026-05), since March (2026-03)"),
    ("in May next year", "in May next year (2027-05)"),
    ("rent is due on the 15th.", "rent is due on the 15th (2026-12-15)."),
    ("today's plan", "today's (2026-11-18) plan"),
    ("am 12. Mai", "am 12. Mai (2027-05-12)"),
    ("bis 15.3. fertig", "bis 15.3. (2027-03-15) fertig"),
    ("übermorgen", "übermorgen (2026-11-20)"),
    ("nächsten Freitag", "nächsten Freitag (2026-11-27)"),
    ("nächste Woche Freitag", "nächste Woche Freitag (2026-11-27)"),
    ("kommenden Montag", "kommenden Montag (2026-11-23)"),
    ("vor drei Tagen", "vor drei Tagen (2026-11-15)"),
    ("pasado mañana", "pasado mañana (2026-11-20)"),
    ("el próximo viernes", "el próximo viernes (2026-11-20)"),
    ("la semana que viene", "la semana que viene (2026-11-23 to 2026-11-29)"),
    ("el viernes 27 voy", "el viernes 27 (2026-11-27) voy"),
    ("hace dos semanas", "hace dos semanas (2026-11-04)"),
    ("el 12 de mayo", "el 12 de mayo (2027-05-12)"),
    ("vendredi prochain", "vendredi prochain (2026-11-27)"),
    ("dans sept jours", "dans sept jours (2026-11-25)"),
    ("le 1er mai", "le 1er mai (2027-05-01)"),
    ("je suis allé chez toi hier", "je suis allé chez toi hier (2026-11-17)"),
    ("aujourd’hui", "aujourd’hui (2026-11-18)"),
    ("na próxima sexta", "na próxima sexta (2026-11-20)"),
    ("sexta-feira que vem", "sexta-feira que vem (2026-11-20)"),
    ("há duas semanas", "há duas semanas (2026-11-04)"),
    ("depois de amanhã", "depois de amanhã (2026-11-20)"),
    ("через две недели", "через две недели (2026-12-02)"),
    ("через неделю", "через неделю (2026-11-25)"),
    ("в следующую пятницу", "в следующую пятницу (2026-11-27)"),
    ("послезавтра", "послезавтра (2026-11-20)"),
    ("15 марта", "15 марта (2027-03-15)"),
    ("غدا", "غدا (2026-11-19)"),
    ("بعد غد", "بعد غد (2026-11-20)"),
    ("الجمعة القادمة", "الجمعة القادمة (2026-11-20)"),
    ("بعد أسبوعين", "بعد أسبوعين (2026-12-02)"),
    ("قبل ثلاثة أيام", "قبل ثلاثة أيام (2026-11-15)"),
    ("١٢ مايو", "١٢ مايو (2027-05-12)"),
    ("अगले शुक्रवार", "अगले शुक्रवार (2026-11-27)"),
    ("दो हफ़्ते बाद", "दो हफ़्ते बाद (2026-12-02)"),
    ("15 मार्च को", "15 मार्च (2027-03-15) को"),
    ("明天去北京", "明天 (2026-11-19)去北京"),
    ("后天", "后天 (2026-11-20)"),
    ("下周五", "下周五 (2026-11-27)"),
    ("上周五", "上周五 (2026-11-13)"),
    ("去年5月12日", "去年5月12日 (2025-05-12)"),
    ("两周后", "两周后 (2026-12-02)"),
    ("5月12日", "5月12日 (2027-05-12)"),
    ("十二月二十五号", "十二月二十五号 (2026-12-25)"),
]


@table(("said", "written"), WRITTEN_OUT)
def test_a_date_that_hangs_on_its_day_of_writing_is_written_out(said: str, written: str) -> None:
    assert annotate_dates(said, SAID_AT) == written


@table(
    ("said", "first", "last"),
    [
        ("12 May 2027", "2027-05-12", "2027-05-12"),
        ("May 12, 2027", "2027-05-12", "2027-05-12"),
        ("on 2027-05-12", "2027-05-12", "2027-05-12"),
        ("12.05.2027", "2027-05-12", "2027-05-12"),
        ("13/05/2027", "2027-05-13", "2027-05-13"),
        ("05/13/2027", "2027-05-13", "2027-05-13"),
        ("12 de mayo de 2027", "2027-05-12", "2027-05-12"),
        ("2027年5月12日", "2027-05-12", "2027-05-12"),
        ("May 2027", "2027-05-01", "2027-05-31"),
        ("в мае 2028 года", "2028-05-01", "2028-05-31"),
        ("2028年5月", "2028-05-01", "2028-05-31"),
        ("in 2027", "2027-01-01", "2027-12-31"),
        ("в 2027 году", "2027-01-01", "2027-12-31"),
    ],
)
def test_a_date_with_its_year_is_found_and_left_as_it_is(said: str, first: str, last: str) -> None:
    (found,) = dates_in(said, SAID_AT)

    assert (str(found.first), str(found.last), found.relative) == (first, last, False)
    assert annotate_dates(said, SAID_AT) == said


@table(
    "said",
    [
        "every Friday",
        "jeden Montag",
        "Montag bis Freitag",
        "los lunes",
        "каждую пятницу",
        "每周五",
        "कल मिलते हैं",
        "परसों",
        "Guten Morgen",
        "por la mañana",
        "hier ist es schön und gut",
        "may I ask April?",
        "12 may come",
        "may 3 people come?",
        "May 3 people come?",
        "the last week of May",
        "It was a Friday",
        "I paid 2000 euros",
        "It costs 12.5. Fine",
        "192.168.1.1",
        "version 1.2.3.4",
        "in 2-3 weeks",
        "30 February",
        "99.99.2027",
        "9999 years ago",
        "tomorrowness",
    ],
)
def test_what_names_no_day_for_certain_gets_no_date(said: str) -> None:
    assert annotate_dates(said, SAID_AT) == said


@table("day", range(7))
def test_next_friday_is_that_of_the_next_calendar_week_whatever_the_day(day: int) -> None:
    said_at = datetime(2026, 11, 16 + day, 9, tzinfo=UTC)

    for said in ("next Friday", "nächsten Freitag", "vendredi prochain", "в следующую пятницу", "下周五"):
        assert [found.first for found in dates_in(said, said_at)] == [date(2026, 11, 27)], said


@table("day", range(7))
def test_friday_is_the_next_one_after_today_and_this_friday_may_be_today(day: int) -> None:
    said_at = datetime(2026, 11, 16 + day, 9, tzinfo=UTC)
    coming = date(2026, 11, 20 if day < 4 else 27)

    for said in ("on Friday", "am Freitag", "kommenden Freitag", "el próximo viernes", "الجمعة القادمة"):
        assert [found.first for found in dates_in(said, said_at)] == [coming], said
    assert [found.first for found in dates_in("this Friday", said_at)] == [date(2026, 11, 20 if day < 5 else 27)]
    assert [found.first for found in dates_in("last Friday", said_at)] == [date(2026, 11, 13 if day < 5 else 20)]


@table(
    ("said", "day"),
    [
        ("On Friday I was in Rome.", "2026-11-13"),
        ("On Friday I was thinking we will go.", "2026-11-20"),
        ("I was ill. See you on Friday.", "2026-11-20"),
        ("Am Freitag war ich in Rom.", "2026-11-13"),
        ("Was machst du am Freitag?", "2026-11-20"),
        ("El viernes fui a Lima.", "2026-11-13"),
        ("В пятницу я был в Казани.", "2026-11-13"),
        ("We met on 12 May.", "2026-05-12"),
    ],
)
def test_a_sentence_in_the_past_means_the_day_gone_by(said: str, day: str) -> None:
    assert [str(found.first) for found in dates_in(said, SAID_AT)] == [day]


@table(
    ("text", "day"),
    [
        ("March 15", (3, 15, None)),
        ("born 15.3.", (3, 15, None)),
        ("2015-03-15", (3, 15, 2015)),
        ("am 15.03.85", (3, 15, 1985)),
        ("12 de mayo", (5, 12, None)),
        ("3月15日", (3, 15, None)),
        ("15 марта 1990 года", (3, 15, 1990)),
        ("15 مارس", (3, 15, None)),
        ("15 मार्च", (3, 15, None)),
        ("le 1er mai", (5, 1, None)),
        ("29 February", (2, 29, None)),
        ("29 February 2015", None),
        ("31 April", None),
        ("in May 2020", None),
        ("tomorrow", None),
        ("", None),
    ],
)
def test_an_anniversary_is_a_month_and_a_day_and_a_year_where_one_is_named(
    text: str, day: tuple[int, int, int | None] | None
) -> None:
    assert anniversary(text) == day


def test_the_29th_of_february_is_that_of_the_next_leap_year() -> None:
    assert annotate_dates("29 February", SAID_AT) == "29 February (2028-02-29)"


def test_places_are_those_of_the_text_as_it_was_written() -> None:
    text = "ﬃ İstanbul: ÜBERMORGEN, straße, am 12. März"

    assert [(text[slice(*found.span)], found.words) for found in dates_in(text, SAID_AT)] == [
        ("ÜBERMORGEN", "ÜBERMORGEN"),
        ("12. März", "12. März"),
    ]


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_day_is_found_in_figures_and_in_words(day: date) -> None:
    written = (f"{day}", f"{day:%d.%m.%Y}", f"{day.day} {day:%B} {day.year}", f"{day.year}年{day.month}月{day.day}日")
    for said in written:
        assert [(found.first, found.last) for found in dates_in(f"am {said}", SAID_AT)] == [(day, day)]
        assert anniversary(said) == (day.month, day.day, day.year)


@given(st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)), st.integers(1, 999))
def test_days_count_forwards_and_backwards_from_the_day_of_writing(said_at: datetime, count: int) -> None:
    for said, sign in (
        ("in {} days", 1),
        ("{} days ago", -1),
        ("vor {} Tagen", -1),
        ("{}天后", 1),
        ("через {} дней", 1),
    ):
        (found,) = dates_in(said.format(count), said_at)
        assert found.first == found.last == said_at.date() + sign * timedelta(days=count)


# Each part of a date as often as any other, so that they meet as they do in real ones.
WORDS = [
    sorted(word for word, meaning in date_lexicon().items() if meaning.part == part) for part in "SW<>=UMmbIiABRpfcaq"
]
FIGURES = "12 5 31 2027 2027-05-12 15.3. 2nd . , ( - x was (2027) (2026-11-27)".split()
PIECES = st.sampled_from([*WORDS, FIGURES, [said for said, _ in WRITTEN_OUT]]).flatmap(st.sampled_from)


@given(st.lists(PIECES, max_size=10).map(" ".join) | st.lists(PIECES, max_size=10).map("".join))
@example("kommenden Montag15.3.12th")
@example("the day after tomorrow2027十二月二十五号")
def test_writing_dates_out_twice_adds_nothing(text: str) -> None:
    once = annotate_dates(text, SAID_AT)

    assert annotate_dates(once, SAID_AT) == once


@given(st.text(max_size=300))
def test_any_text_keeps_its_words_and_its_dates_are_in_order(text: str) -> None:
    ends = [place for found in dates_in(text, SAID_AT) for place in found.span]

    assert ends == sorted(ends)
    assert all(found.first <= found.last for found in dates_in(text, SAID_AT))


@table("day", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_days_before_and_after_all_calendars_are_left_alone(day: datetime) -> None:
    said = "last year, yesterday, next week, in 3 days, next year, 12 May, in May, next Friday, last Friday"

    assert annotate_dates(said, day)


def test_a_word_that_the_end_of_what_is_read_cuts_is_not_taken_for_another() -> None:
    filled = "x" * (20_000 - len(" tomorrow")) + " tomorrowness"

    assert annotate_dates(filled, SAID_AT) == filled


def test_every_key_under_which_words_of_dates_stand_means_something() -> None:
    groups = [(name, group) for name, group in languages()["en"].dates if isinstance(group, LexiconSection)]

    assert {(name, key) for name, group in groups for key, _ in group} == {(name, key) for name, key, _ in MEANINGS}
