"""Spans: where words stand in a text again, in any script, and that blanking them leaves the rest."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.spans import blank_out, paraphrase_spans, source_span, verbatim_spans
from tests.tables import table
from tests.texts_of_any_script import TEXTS, UNHURRIED, WORDS

BOSS = "Alec is my boss"


@table(
    ("text", "words", "found"),
    [
        ("Alec is my boss.", BOSS, ["Alec is my boss"]),
        ("So ALEC  is\n my\tBoss, yes; alec is my boss", BOSS, ["ALEC  is\n my\tBoss", "alec is my boss"]),
        ("Alec is my big boss", BOSS, []),
        ("Мой начальник СЕРГЕЙ, да", "мой начальник Сергей", ["Мой начальник СЕРГЕЙ"]),
        ("好的，我的老板是王伟。", "我的老板是王伟", ["我的老板是王伟"]),
        ("نعم، مديري اسمه سامي.", "مديري اسمه سامي", ["مديري اسمه سامي"]),
        ("हाँ, मेरे मालिक रमेश हैं।", "मेरे मालिक रमेश हैं", ["मेरे मालिक रमेश हैं"]),
        ("ÄRGER MIT ÖL", "Ärger mit Öl", ["ÄRGER MIT ÖL"]),
        ("👩🏽‍🚀 likes C++ (really)? yes", "likes C++ (really)?", ["likes C++ (really)?"]),
        (r"it is C:\Users\ada [x]", r"C:\Users\ada [x]", [r"C:\Users\ada [x]"]),
        ("aaaa", "aa", []),
        ("evergreens and green", "green", ["green"]),
        ("我爱北京天安门", "北京", ["北京"]),
        ("nothing here", "", []),
        ("nothing here", " \n", []),
        ("", BOSS, []),
    ],
)
def test_the_same_words_are_found_whatever_their_case_and_spacing(text: str, words: str, found: list[str]) -> None:
    assert [text[slice(*span)] for span in verbatim_spans(text, words)] == found


@table(
    ("text", "words", "found"),
    [
        ("Noted. Alec is your boss! Bye.", BOSS, ["Alec is your boss!"]),
        ("Your boss, as you say, is Alec", BOSS, ["Your boss, as you say, is Alec"]),
        ("Alec called. Your boss is ill.", BOSS, []),
        ("She lived in Porto.\nFine.", "I live in Porto", ["She lived in Porto."]),
        ("Voila: CAFE Central opened. Oui.", "I opened the Café Central", ["Voila: CAFE Central opened."]),
        ("好的。我的老板是王伟，对吗？是的。", "我的老板是王伟", ["我的老板是王伟，对吗？"]),
        ("نعم. سامي اسمه، مديري؟ جيد.", "مديري اسمه سامي", ["سامي اسمه، مديري؟"]),
        ("ठीक। रमेश हैं मेरे मालिक। हाँ।", "मेरे मालिक रमेश हैं", ["रमेश हैं मेरे मालिक।"]),
        ("👍🏽! Your 🐈 is called Tofu… 👋🏽", "My 🐈 is called Tofu", ["Your 🐈 is called Tofu…"]),
        ("Tea!", "I like tea", []),
        ("I am who I am. No.", "who am I", ["I am who I am."]),
    ],
)
def test_a_sentence_with_all_telling_words_is_found(text: str, words: str, found: list[str]) -> None:
    assert [text[slice(*span)] for span in paraphrase_spans(text, words)] == found


@table(
    ("words", "reply"),
    [
        ("Alec is my boss", "Alec is your boss."),
        ("Alec ist mein Chef", "Alec ist dein Chef."),
        ("Alec es mi jefe", "Alec es tu jefe."),
        ("Alec est mon patron", "Alec est ton patron."),
        ("Alec é meu chefe", "Alec é seu chefe."),
        ("Алек мой начальник", "Алек твой начальник."),
        ("王伟是我的老板", "王伟是你的老板。"),
    ],
)
def test_what_was_mine_is_found_where_the_assistant_calls_it_yours(words: str, reply: str) -> None:
    assert paraphrase_spans(reply, words) == [(0, len(reply))]


@table(
    ("message", "words", "source"),
    [
        ("Hello! Alec is my boss. Bye.", BOSS, "Alec is my boss"),
        ("Hello! My boss is Alec. Bye.", BOSS, "My boss is Alec."),
        ("Hi. Alec called. He is my boss now. Bye.", BOSS, "Alec called. He is my boss now."),
        ("你好。老板是王伟。再见。", "我的老板是王伟", "老板是王伟。"),
        ("مرحبا. مديري سامي. جيد.", "مديري اسمه سامي", "مديري سامي."),
        ("👋🏽! Tofu is my 🐈. Bye.", "My 🐈 is called Tofu", "Tofu is my 🐈."),
        ("Nothing of the kind", "Porto has bridges", None),
        ("", BOSS, None),
        ("...", BOSS, None),
    ],
)
def test_the_source_of_a_fact_is_the_shortest_run_of_sentences_with_its_words(
    message: str, words: str, source: str | None
) -> None:
    span = source_span(message, words)
    assert (None if span is None else message[slice(*span)]) == source


@given(TEXTS, WORDS)
@UNHURRIED
def test_spans_are_code_points_within_the_text(text: str, words: str) -> None:
    for begin, end in paraphrase_spans(text, words):
        assert 0 <= begin < end <= len(text)
    span = source_span(text, words)
    assert span is None or 0 <= span[0] < span[1] <= len(text)


@given(TEXTS, TEXTS, WORDS)
@UNHURRIED
def test_words_that_stand_in_a_text_are_found_as_its_source(before: str, after: str, words: str) -> None:
    span = source_span(f"{before} {words} {after}", words)

    assert span is not None
    found = f"{before} {words} {after}"[slice(*span)]
    assert found.lower().split() == words.lower().split()


@given(st.lists(TEXTS), WORDS)
@UNHURRIED
def test_blanked_text_is_as_long_as_before_and_the_words_are_gone(around: list[str], words: str) -> None:
    text = words.join(around)
    spans = verbatim_spans(text, words)
    after = blank_out(text, spans)

    assert len(after) == len(text)
    assert verbatim_spans(after, words) == []
    taken = {at for span in spans for at in range(*span)}
    assert all(after[at] == ("█" if at in taken else sign) for at, sign in enumerate(text))
