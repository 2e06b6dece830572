"""The budget: whatever is wanted, nothing is over its cap or over the whole, and what is missing is named."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from db.queries.ledgers.decisions import DecisionRow
from db.queries.ledgers.handoffs import HandoffRow
from db.queries.ledgers.tasks import TaskRow
from db.queries.ledgers.views import ViewRow
from db.queries.people.people import Choices
from db.vocabulary import (
    Channel,
    DecisionScope,
    DecisionStatus,
    Mode,
    Sensitivity,
    TaskStatus,
    ViewName,
    ViewScope,
)
from memory.consolidation.summaries.summaries import Digest
from memory.context.budget import PackedSections, pack_sections, window_start
from memory.context.build import BundleOptions, pack_rows, window_items
from memory.context.calls import request_tokens
from memory.context.gather import BundleRows, WindowLine
from memory.context.items import Item, message_item
from memory.context.render import request
from memory.context.sections import CAPS, DEFAULT_TOKENS, INTENTS, RESERVE, SECTIONS, SectionName
from memory.model.brain import Request, ToolSpec
from memory.model.tokens import estimate, shorten
from memory.retrieval.hits import Hit
from tests.conftest import NOON
from tests.rows import fact
from tests.tables import table

HOSTILE = ("a", "word ", "🏳️‍🌈", "\ufdfa", "<keepsake>", "\n", "ß漢ก", "0", "-", " ", "\ud800")


class Sized(Item):
    """An item that costs what a test wants it to."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", self.row["tokens"])


sizes = st.one_of(st.integers(0, 50), st.integers(0, 9_000), st.integers(0, 10**6))
wishes = st.dictionaries(st.sampled_from(SectionName), st.lists(sizes, max_size=30))
limits = st.one_of(st.integers(0, 3_000), st.integers(0, 70_000), st.integers(0, 10**6), st.just(DEFAULT_TOKENS))
spents = st.one_of(st.just(0), st.integers(0, 10_000), st.integers(0, 10**6))


def sized(name: str, costs: Sequence[int]) -> list[Item]:
    return [Sized("", (f"{name}_{place}",), {"tokens": cost}) for place, cost in enumerate(costs)]


def wanted_of(costs: Mapping[SectionName, Sequence[int]]) -> dict[SectionName, list[Item]]:
    return {name: sized(name, each) for name, each in costs.items()}


def kept(packed: PackedSections, name: SectionName) -> list[Item]:
    return [item for section in packed.sections if section.name == name for item in section.items]


@given(wishes, limits, spents)
def test_a_bundle_never_costs_more_than_it_may(
    costs: dict[SectionName, list[int]], max_tokens: int, spent: int
) -> None:
    packed = pack_sections(wanted_of(costs), max_tokens=max_tokens, fixed_tokens=spent)

    assert packed.tokens == 0 or packed.tokens + spent <= max_tokens
    for section in packed.sections:
        heading = SECTIONS[section.name].heading_tokens
        assert section.tokens == (heading + sum(item.tokens for item in section.items) if section.items else 0)
        assert section.tokens <= CAPS[section.name].tokens


@given(wishes, st.integers(0, DEFAULT_TOKENS))
def test_with_fewer_tokens_every_cap_shrinks_and_the_reserve_stays_free(
    costs: dict[SectionName, list[int]], max_tokens: int
) -> None:
    packed = pack_sections(wanted_of(costs), max_tokens=max_tokens)

    assert all(section.tokens <= CAPS[section.name].tokens * max_tokens / DEFAULT_TOKENS for section in packed.sections)
    assert packed.tokens <= max_tokens - int(RESERVE * max_tokens / DEFAULT_TOKENS)


def is_shorter(cut: Item, item: Item) -> bool:
    return cut.refs == item.refs and cut.tokens < item.tokens


@given(wishes, limits, spents)
def test_omissions_name_exactly_what_is_missing(
    costs: dict[SectionName, list[int]], max_tokens: int, spent: int
) -> None:
    wanted = wanted_of(costs)
    packed = pack_sections(wanted, max_tokens=max_tokens, fixed_tokens=spent)
    told = {omission.reason: set(omission.candidates) for omission in packed.omissions}

    missing = {
        f"no_room_in_{name}": {item.refs[0] for item in items} - {item.refs[0] for item in kept(packed, name)}
        for name, items in wanted.items()
    }
    shorter = {
        f"shortened_in_{name}": {cut.refs[0] for cut in kept(packed, name) for item in items if is_shorter(cut, item)}
        for name, items in wanted.items()
    }
    assert told == {reason: not_gathered for reason, not_gathered in (missing | shorter).items() if not_gathered}


@given(wishes, limits, spents)
def test_what_counts_more_is_packed_as_though_there_were_nothing_below_it(
    costs: dict[SectionName, list[int]], max_tokens: int, spent: int
) -> None:
    wanted = wanted_of(costs)
    everything = pack_sections(wanted, max_tokens=max_tokens, fixed_tokens=spent)
    for least in {cap.priority for cap in CAPS.values()}:
        above = {name: items for name, items in wanted.items() if CAPS[name].priority >= least}
        alone = pack_sections(above, max_tokens=max_tokens, fixed_tokens=spent)
        assert alone.sections == tuple(section for section in everything.sections if section.name in above)


@given(st.lists(sizes, max_size=60), limits)
def test_items_stay_in_their_order_and_a_smaller_one_may_follow_one_that_did_not_fit(
    costs: list[int], max_tokens: int
) -> None:
    items = sized("fact", costs)
    packed = pack_sections({SectionName.MEMORY: items}, max_tokens=max_tokens)
    fitting = kept(packed, SectionName.MEMORY)
    free = (
        int(CAPS[SectionName.MEMORY].tokens * min(max_tokens / DEFAULT_TOKENS, 1))
        - SECTIONS[SectionName.MEMORY].heading_tokens
    )

    assert fitting == [item for item in items if item in fitting]
    assert all(item.tokens > free - sum(each.tokens for each in fitting) for item in items if item not in fitting)


@given(st.lists(sizes, max_size=60), limits, spents)
def test_the_window_keeps_its_end_without_a_gap(costs: list[int], max_tokens: int, spent: int) -> None:
    items = sized("said", costs)
    packed = pack_sections({SectionName.RECENT_WINDOW: items}, max_tokens=max_tokens, fixed_tokens=spent)
    window = kept(packed, SectionName.RECENT_WINDOW)

    assert window == items[len(items) - len(window) :]


exchanges = st.lists(st.tuples(st.booleans(), st.integers(1, 3_000)), max_size=120)


@given(exchanges, st.integers(0, 9_000))
def test_a_window_starts_with_a_person_and_is_within_its_cap(said: list[tuple[bool, int]], cap: int) -> None:
    tokens, starts = [cost for _, cost in said], [is_start for is_start, _ in said]
    start = window_start(tokens, starts, cap)

    assert sum(tokens[start:]) <= cap
    assert start in (0, len(said)) or starts[start]


@given(st.lists(st.integers(1, 2_500), min_size=2, max_size=200))
def test_the_window_stays_where_it_is_while_less_than_half_a_cap_is_added(costs: list[int]) -> None:
    cap, starts = 8_000, [place % 2 == 0 for place in range(len(costs))]
    begins = [window_start(costs[:length], starts[:length], cap) for length in range(2, len(costs) + 1, 2)]

    assert begins == sorted(begins)
    assert len(set(begins)) <= 2 + max(sum(costs) - cap, 0) // (cap // 2)


@given(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=30), st.integers(1, 2_000), st.integers(40, 5_000))
@example(["\ufdfa"], 3_000, 40)
@settings(max_examples=40)
def test_a_shortened_text_is_within_its_tokens_and_keeps_both_ends(parts: list[str], times: int, most: int) -> None:
    text = "".join(parts) * times
    short = shorten(text, most)

    assert estimate(short) <= most
    if short != text:
        before, missing, after = short.partition("\n[… ")
        assert missing
        left_out, _, after = after.partition(" characters left out …]\n")
        assert text.startswith(before)
        assert text.endswith(after)
        assert len(before) == len(after)
        assert len(before) + int(left_out.replace(",", "")) + len(after) == len(text)


@table("text", ["a" * 10**6, "word " * 200_000, "🏳️‍🌈" * 70_000, "\ufdfa" * 330_000, "\n" * 10**6])
def test_a_text_of_a_megabyte_is_shortened_to_much_of_what_it_may_cost(text: str) -> None:
    short = shorten(text, 4_000)

    assert 2_000 < estimate(short) <= 4_000


def test_a_text_that_fits_is_left_alone() -> None:
    assert shorten("Good morning", 40) == "Good morning"


# A whole request, of rows that are as bad as can be.
SPEC = ToolSpec("search_memory", "Find what is remembered.", {"type": "object", "properties": {"q": {}}})
INSTRUCTIONS = "You are an assistant with a memory. " * 40
AROUND = request_tokens(Request(INSTRUCTIONS, "", (), (SPEC,)))

texts = st.builds(
    lambda parts, times: "".join(parts) * times,
    st.lists(st.sampled_from(HOSTILE[:-1]), min_size=1, max_size=8),
    st.sampled_from([1, 3, 40, 400, 2_000]),
)
lists = st.lists(texts, max_size=6)


def rows(told: Mapping[str, Sequence[str]]) -> BundleRows:
    scope: dict[str, Any] = {
        "owner": "test:ada",
        "space": "personal:test:ada",
        "sensitivity": Sensitivity.NONE,
        "ts": NOON,
    }
    return BundleRows(
        choices=Choices("UTC", Mode.CONFIRM, frozenset()),
        subject=told["subject"][0] if told["subject"] else "",
        views=[
            ViewRow(name, ViewScope.USER, 1, words, NOON, "test:ada", "personal:test:ada")
            for name, words in zip(ViewName, told["views"], strict=False)
        ],
        pinned=[fact(words, id=f"pinned{n:02}") for n, words in enumerate(told["pinned"])],
        changed=[fact(words, id=f"change{n:02}") for n, words in enumerate(told["changed"])],
        hidden=[],
        summary=Digest("sum_1", told["summary"][0]) if told["summary"] else None,
        lines=[WindowLine(f"evt_{n}", n % 2 == 0, words, ()) for n, words in enumerate(told["lines"])],
        tasks=[
            TaskRow(
                id=f"tsk_{n}",
                channel=Channel.PRIVATE,
                status=TaskStatus.OPEN,
                title=words,
                details=words,
                due=None,
                refs=[],
                event_id=None,
                sealed=None,
                **scope,
            )
            for n, words in enumerate(told["tasks"])
        ],
        decisions=[
            DecisionRow(
                id=f"dec_{n}",
                channel=Channel.PRIVATE,
                status=DecisionStatus.ACTIVE,
                scope=DecisionScope.PROJECT,
                decision=words,
                rationale=[words],
                constraints=[],
                alternatives=[],
                consequences=[],
                refs=[],
                supersedes=None,
                superseded_by=None,
                event_id=None,
                sealed=None,
                **scope,
            )
            for n, words in enumerate(told["decisions"])
        ],
        handoff=HandoffRow("hnd_1", "test:ada", Sensitivity.NONE, NOON, "a", "b", {"goal": told["handoff"][0]}, 1, [])
        if told["handoff"]
        else None,
        not_gathered={},
    )


def hits(found: Sequence[str]) -> list[Hit]:
    return [
        Hit(
            f"chk_{n}",
            f"evt_before_{n}",
            None,
            "test:ada",
            "test:ada",
            "Ada",
            "message",
            NOON,
            words,
            0,
            1.0,
            {},
            "words",
        )
        for n, words in enumerate(found)
    ]


PARTS = ("subject", "views", "pinned", "changed", "summary", "lines", "tasks", "decisions", "handoff", "evidence")


def whole_request(told: Mapping[str, Sequence[str]], message: str, options: BundleOptions, intent: str) -> Request:
    packed = pack_rows(rows(told), hits(told["evidence"]), INTENTS[intent], options, message, "")
    return request(
        INSTRUCTIONS,
        (SPEC,),
        {section.name: section.items for section in packed.sections},
        notes=["A note of the program."],
        now=NOON,
        timezone="America/Argentina/ComodRivadavia",
        message=message_item("evt_new", True, message, (), options.message_tokens),
    )


@given(
    st.fixed_dictionaries(dict.fromkeys(PARTS, lists)),
    texts,
    st.one_of(st.integers(12_000, 70_000), st.just(DEFAULT_TOKENS)),
    st.sampled_from(sorted(INTENTS)),
)
@settings(max_examples=10)
def test_a_whole_request_is_within_the_budget(
    told: dict[str, list[str]], message: str, max_tokens: int, intent: str
) -> None:
    made = whole_request(told, message, BundleOptions(max_tokens=max_tokens, fixed_tokens=AROUND), intent)

    assert request_tokens(made) <= max_tokens


def test_a_message_that_is_being_answered_is_not_in_the_window_before_it() -> None:
    said = rows(dict.fromkeys(PARTS, ()) | {"lines": ["one", "two", "three"]})

    assert [item.text for item in window_items(said, BundleOptions(), "evt_2")[0]] == ["one", "two"]


def test_a_window_that_begins_in_the_middle_of_an_exchange_loses_its_rest() -> None:
    said = rows(dict.fromkeys(PARTS, ()) | {"lines": ["one", "two", "three"]})

    assert [item.text for item in window_items(replace(said, lines=said.lines[1:]), BundleOptions(), "")[0]] == [
        "three"
    ]


def filler(sign: str, tokens: int) -> str:
    """A text of that many tokens, or few less."""
    times = int(tokens / (estimate(sign * 100) / 100)) + 3
    while estimate(sign * times) > tokens:
        times -= 1
    return sign * times


def full(sign: str) -> dict[str, list[str]]:
    """As much of everything as its section takes, in few pieces, and a window of many."""

    def some(tokens: int, pieces: int) -> list[str]:
        return [filler(sign, tokens // pieces - 30)] * pieces

    return {
        "subject": [],
        "views": [filler(sign, 1_165), filler(sign, 5_965)],
        "pinned": some(5_800, 1),
        "changed": some(1_946, 1),
        "tasks": [words[: len(words) // 2] for words in some(2_946, 1)],
        "decisions": [words[: len(words) // 2] for words in some(3_946, 1)],
        "handoff": [filler(sign, 5_950)],
        "summary": [filler(sign, 1_968)],
        "lines": [filler(sign, 152)] * 50,
        "evidence": some(17_946, 45),
    }


@table("sign", ["word ", "漢", "🏳️‍🌈"])
def test_a_request_with_every_section_full_is_within_the_budget(sign: str) -> None:
    made = whole_request(full(sign), filler(sign, 9_000), BundleOptions(fixed_tokens=AROUND), "default")

    assert request_tokens(made) <= DEFAULT_TOKENS


@table("room", [60, 100, 140, 180, 220])
def test_a_window_with_less_room_than_its_cap_begins_with_a_person_too(room: int) -> None:
    said = rows(dict.fromkeys(PARTS, ()) | {"lines": ["word " * 50] * 4})
    packed = pack_rows(said, [], INTENTS["chat"], BundleOptions(fixed_tokens=DEFAULT_TOKENS - RESERVE - room), "", "")
    window = kept(packed, SectionName.RECENT_WINDOW)

    assert not window or window[0].row["by_human"]


@table("room", [100, 140, 180, 220])
def test_a_transcript_keeps_its_end_whoever_spoke_there(room: int) -> None:
    said = rows(dict.fromkeys(PARTS, ()) | {"lines": ["word " * 50] * 4})
    said = replace(said, lines=[replace(line, by_human=False, speaker="agentA") for line in said.lines])
    options = BundleOptions(fixed_tokens=DEFAULT_TOKENS - RESERVE - room, is_transcript=True)
    window = kept(pack_rows(said, [], INTENTS["chat"], options, "", ""), SectionName.RECENT_WINDOW)

    assert window[-1].text.startswith("agentA: word")


@table("most", [0, 1, 5, 17])
def test_a_text_is_shortened_to_the_fewest_tokens(most: int) -> None:
    assert estimate(shorten("word " * 1_000, most)) <= most
