"""Repeats: where a text says again what is to be forgotten, in any script, and that taking it out leaves the rest."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.privacy.forgetting.repeats import blanked, in_other_words, needles, places, source_span, word_for_word
from tests.rows import fact
from tests.tables import table

UNHURRIED = settings(deadline=None)
BOSS = "Alec is my boss"
# Letters of several scripts, signs outside the first plane, marks, white space and the ends of sentences.
LETTERS = "abcABCäÖßéЖяابجदीमा我老板王ไท😀👩🏽 \t\n\u0301.!?。؟।…'\"\\(+*[%_"
TEXTS = st.text(alphabet=LETTERS, max_size=60)
WORDS = TEXTS.filter(str.strip)


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
    assert [text[slice(*span)] for span in word_for_word(text, words)] == found


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
    assert [text[slice(*span)] for span in in_other_words(text, words)] == found


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
    assert in_other_words(reply, words) == [(0, len(reply))]


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


def test_a_persons_other_sentences_are_theirs_and_an_assistants_are_not() -> None:
    text = "Alec, well, is the boss here. And ALEC IS MY BOSS too."

    assert [text[slice(*span)] for span in places(text, fact(BOSS), said_by_human=True)] == ["ALEC IS MY BOSS"]
    assert {text[slice(*span)] for span in places(text, fact(BOSS), said_by_human=False)} == {
        "ALEC IS MY BOSS",
        "Alec, well, is the boss here.",
        "And ALEC IS MY BOSS too.",
    }


def test_the_span_counts_in_its_source_alone_and_without_one_all_of_it_does() -> None:
    row = fact(BOSS, span=(0, 5))

    assert places("hello there", row, said_by_human=True) == []
    assert places("hello there", row, said_by_human=True, is_source=True) == [(0, 5)]
    assert places("hell", row, said_by_human=True, is_source=True) == [(0, 4)]


def test_a_fact_that_cannot_be_read_is_repeated_nowhere_that_could_be_told() -> None:
    assert places(BOSS, replace(fact(BOSS, span=(0, 4)), content=None), said_by_human=False, is_source=True) == []


@table(
    ("words", "text"),
    [
        (BOSS, "Your boss is Alec"),
        ("I was running with Clara", "You ran; Clara was running"),
        ("Sie heißt Jürgen Straßer", "JÜRGEN STRASSER heißt sie"),
        ("Frédéric paints", "Frederic paints"),
        ("Мой начальник Сергей", "МОЙ НАЧАЛЬНИК СЕРГЕЙ"),
        ("我的老板是王伟", "好的，我的老板是王伟，对吗"),
        ("مديري اسمه سامي", "سامي اسمه، مديري"),
        ("I like 北京 a lot", "You like 北京 a lot"),
        ("(“Tofu”) is my cat!", "Tofu is your cat"),
        ("🎉🎉🎉🎉🎉", "yes 🎉🎉🎉🎉🎉"),
    ],
)
def test_what_repeats_a_fact_holds_one_of_its_needles(words: str, text: str) -> None:
    assert places(text, fact(words), said_by_human=False)

    assert any(needle in text.lower() for needle in needles(words))


def test_needles_are_few_and_long_enough_to_tell() -> None:
    assert needles("I really appreciate tea") == ["appreci"]
    assert needles("我的老板是王伟") == ["老板"]
    assert needles("北京 and mountaineers") == ["mountaine", "北京"]
    assert needles("...") == []


@given(TEXTS, WORDS, st.booleans(), st.tuples(st.integers(0, 70), st.integers(1, 9)))
@UNHURRIED
def test_spans_are_code_points_within_the_text(text: str, words: str, human: bool, source: tuple[int, int]) -> None:
    row = fact(words, span=(source[0], sum(source)))
    for begin, end in [*places(text, row, said_by_human=human, is_source=True), *in_other_words(text, words)]:
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
    spans = word_for_word(text, words)
    after = blanked(text, spans)

    assert len(after) == len(text)
    assert word_for_word(after, words) == []
    taken = {at for span in spans for at in range(*span)}
    assert all(after[at] == ("█" if at in taken else sign) for at, sign in enumerate(text))


@given(TEXTS, WORDS)
@UNHURRIED
def test_blanking_overlapping_spans_takes_them_all_out(text: str, words: str) -> None:
    spans = places(text, fact(words), said_by_human=False)
    after = blanked(text, spans)

    assert len(after) == len(text)
    assert places(after, fact(words), said_by_human=False) == []
