"""Whatever a button carries, Telegram takes it, and it is read again as it was written."""

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from bot.delivery.outgoing import Button
from bot.telegram.sending import keyboards
from bot.telegram.sending.keyboards import decode_button, encode_button
from db.ids import short_id, timed_id
from db.queries.facts.proposals import ProposalRow
from db.vocabulary import Category, ProposalKind, ProposalStatus, Sensitivity, Visibility
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt, ReceiptKind
from tests.conftest import NOON
from tests.rows import fact

OWNERS = st.integers(1, 2**52)
IDS = st.builds(short_id)
HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    row = ProposalRow(
        id=draw(IDS),
        kind=draw(st.sampled_from(ProposalKind)),
        fact_id=None,
        fact_version=None,
        category=Category.OTHER,
        attribute=None,
        content=draw(st.text(min_size=5, max_size=500)),
        subject=None,
        value=None,
        sealed=None,
        sensitivity=Sensitivity.NONE,
        content_hash=draw(HASHES),
        source_event_id=None,
        span=None,
        author="assistant",
        reply_event_id=None,
        shown_at=None,
        status=ProposalStatus.WAITING,
        expires_at=NOON,
        created_at=NOON,
    )
    return Card(row)


def fit(rows: list[list[Button]], owner: int) -> None:
    for button in (button for row in rows for button in row):
        assert 1 <= len(button.data.encode()) <= 64
        assert button.label
        read = decode_button(button.data)
        assert read is not None
        assert read.owner == owner


@given(st.lists(cards(), min_size=1, max_size=20), OWNERS)
def test_every_button_of_cards_fits_and_carries_the_hash_of_what_was_shown(listed: list[Card], owner: int) -> None:
    rows = keyboards.card_buttons(listed, owner)
    fit(rows, owner)

    for card, row in zip(listed, rows, strict=False):
        for button in row:
            read = decode_button(button.data)
            assert read is not None
            assert read.subject == card.row.id
            assert len(read.hash) == keyboards.HASH_LENGTH
            assert card.row.content_hash.startswith(read.hash)


@given(st.text(min_size=1, max_size=500).filter(str.strip), OWNERS, st.integers(1, 30), st.integers(0, 5))
def test_every_button_of_pages_and_facts_fits(words: str, owner: int, count: int, page: int) -> None:
    listed = [fact(words, id=short_id()) for _ in range(count)]
    fit(keyboards.page_buttons(listed, page, owner), owner)
    for mine in (True, False):
        for visibility in Visibility:
            fit(keyboards.fact_buttons(replace(listed[0], visibility=visibility), owner, mine=mine), owner)
    fit(keyboards.receipt_buttons([Receipt(ReceiptKind.STORED, row) for row in listed], owner), owner)
    fit([[keyboards.why_button(timed_id("evt", NOON), owner)]], owner)


@given(st.text(), st.integers(0).map(str) | st.text(), st.lists(st.text(max_size=10), min_size=2, max_size=4))
@example("yes", "11", ["", "", ""])
@example("x" * keyboards.MAX_DATA, "11", ["", "", ""])
def test_whatever_comes_back_is_read_or_out_of_date(action: str, owner: str, more: list[str]) -> None:
    data = "|".join([action, owner, *more])
    read = decode_button(data)

    if read is not None:
        first, second, *others = data.split("|")
        assert [read.action, read.owner, read.subject, read.hash, read.group] == [first, int(second), *others]
        assert len(data.encode()) <= keyboards.MAX_DATA


@given(OWNERS, IDS, HASHES)
def test_what_was_written_is_read(owner: int, subject: str, hash: str) -> None:
    read = decode_button(encode_button("yes", owner, subject, hash))

    assert read == keyboards.ButtonData("yes", owner, subject, hash[: keyboards.HASH_LENGTH])
    assert decode_button(f"{'x' * keyboards.MAX_DATA}|{owner}|||") is None
    assert decode_button(f"yes|{owner}|{subject}|") is None


@given(st.lists(cards(), min_size=2, max_size=5))
def test_all_holds_for_these_cards_in_any_order_and_for_no_others(listed: list[Card]) -> None:
    assert keyboards.cards_hash(listed) == keyboards.cards_hash(listed[::-1])
    assert keyboards.cards_hash(listed) != keyboards.cards_hash(listed[1:])
