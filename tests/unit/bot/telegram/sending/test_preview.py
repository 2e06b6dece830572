"""What a preview shows of an answer that is longer than a message."""

from hypothesis import example, given
from hypothesis import strategies as st

from bot.telegram.sending.markdown import MAX_UTF16_LENGTH, utf16_length
from bot.telegram.sending.preview import _tail


@given(st.text("a😀é\n", max_size=6000), st.integers(1, 6000))
@example("😀", 5000)
@example("a😀", 2100)
@example("x", 4097)
def test_a_preview_fits_and_shows_the_end_whole(piece: str, times: int) -> None:
    text = (piece * times)[:9000]
    shown = _tail(text)

    assert utf16_length(shown) <= MAX_UTF16_LENGTH
    assert text.endswith(shown.removeprefix("…"))
    assert shown == text or utf16_length(shown) >= MAX_UTF16_LENGTH - 1
