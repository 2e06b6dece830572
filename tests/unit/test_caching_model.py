"""The cache of the scripted model itself: it reads the longest prefix that is the same, under the rules of the API."""

from tests.caching_model import Block, PrefixCache, blocks_of, broken, fault_of

LONG = "word " * 200


def prompt(*texts: str) -> tuple[Block, ...]:
    """A prompt of these blocks; those that begin with a star are marked."""
    content = [
        {"type": "text", "text": text.lstrip("*"), **({"cache_control": {}} if text[0] == "*" else {})}
        for text in texts
    ]
    return blocks_of({"model": "m", "system": [], "messages": [{"role": "user", "content": content}]})


def test_what_was_marked_is_written_once_and_read_after_that() -> None:
    cache = PrefixCache(minimum=100)
    first, again = cache.count(prompt(f"*{LONG}", "one")), cache.count(prompt(f"*{LONG}", "two"))

    assert (first.read, first.written, first.fresh) == (0, 254, 5)
    assert (again.read, again.written, again.fresh) == (254, 0, 5)


def test_a_mark_further_on_reads_what_an_earlier_one_wrote() -> None:
    cache = PrefixCache(minimum=100)
    cache.count(prompt(f"*{LONG}"))
    counted = cache.count(prompt(LONG, "a", "*b"))

    assert (counted.read, counted.written, counted.fresh) == (254, 10, 0)


def test_a_mark_is_looked_for_at_twenty_places_and_no_further() -> None:
    for between, read in ((19, 254), (20, 0)):
        cache = PrefixCache(minimum=100)
        cache.count(prompt(f"*{LONG}"))

        assert cache.count(prompt(LONG, *["a"] * (between - 1), "*b")).read == read


def test_one_other_byte_before_the_mark_reads_nothing() -> None:
    cache = PrefixCache(minimum=100)
    cache.count(prompt("a", f"*{LONG}"))

    assert cache.count(prompt("b", f"*{LONG}")).read == 0


def test_what_is_shorter_than_the_minimum_is_not_cached() -> None:
    cache = PrefixCache(minimum=1024)
    counted = [cache.count(prompt(f"*{LONG}")) for _ in range(2)][-1]

    assert (counted.read, counted.written, counted.fresh) == (0, 0, 254)


def test_what_is_used_stays_for_another_five_minutes() -> None:
    cache = PrefixCache(minimum=100)
    reads = []
    for pause in (0, 299, 299, 301):
        cache.now += pause
        reads.append(cache.count(prompt(f"*{LONG}")).read)

    assert reads == [0, 254, 254, 0]


def test_a_fifth_mark_and_a_mark_on_nothing_are_refused() -> None:
    assert fault_of(prompt("*a", "*b", "*c", "*d", "e")) is None
    assert fault_of(prompt("*a", "*b", "*c", "*d", "*e"))
    assert fault_of(prompt("* "))


def test_a_break_is_told_with_its_cause() -> None:
    cache = PrefixCache(minimum=100)
    before = cache.count(prompt("one", "two", f"*{LONG}", "*end"))
    moved = broken(before, cache.count(prompt("two", f"*{LONG}", "*end")))
    blanked = broken(before, cache.count(prompt("█", "two", f"*{LONG}", "*end")))
    other = broken(before, cache.count(prompt("1", "two", f"*{LONG}", "*end")))

    assert [each and each.cause for each in (moved, blanked, other)] == ["window step", "memory changed", "other"]
    assert broken(before, cache.count(prompt("one", "two", LONG, "*more"))) is None
