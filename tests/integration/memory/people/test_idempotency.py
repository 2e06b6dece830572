"""A write that names itself is done once, and its answer is its person's alone."""

from dataclasses import replace

from db.viewer import Viewer
from memory.people import idempotency
from memory.people.idempotency import EarlierWrite, NamedWrite
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting.cached_copies import drop_cached_copies
from memory.unit import Memory

ONCE = NamedWrite("key_1", "once", b"h" * 32)
ANSWER = {"body": {"id": "x"}, "headers": {}}
OTHER_KEYS = Keyring((b"another key, of thirty-two bytes",))


async def test_the_second_time_it_is_answered_in_the_same_words(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    async with memory.unit(ada) as unit:
        assert await idempotency.begin(unit, ONCE)
        await idempotency.finish(unit, ONCE, 201, ANSWER)
    async with memory.unit(ada) as unit:
        assert not await idempotency.begin(unit, ONCE)
        assert await idempotency.find_earlier(unit, ONCE) == EarlierWrite(is_same=True, status=201, answer=ANSWER)
    async with memory.unit(ben) as unit:
        assert not (await idempotency.find_earlier(unit, ONCE)).is_same
        assert await idempotency.begin(unit, ONCE)


async def test_a_name_that_was_used_for_something_else_is_taken(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await idempotency.begin(unit, ONCE)
        await idempotency.finish(unit, ONCE, 201, ANSWER)
        other = replace(ONCE, fingerprint=b"i" * 32)

        assert not await idempotency.begin(unit, other)
        assert await idempotency.find_earlier(unit, other) == EarlierWrite(is_same=False)
        assert await idempotency.begin(unit, replace(ONCE, name="twice"))
        assert await idempotency.begin(unit, replace(ONCE, key_id="key_2"))


async def test_that_it_was_done_stays_known_when_its_answer_is_gone(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await idempotency.begin(unit, ONCE)
        await idempotency.finish(unit, ONCE, 200, ANSWER)
        await drop_cached_copies(unit)
        assert await idempotency.find_earlier(unit, ONCE) == EarlierWrite(is_same=True, status=200)

        silent = replace(ONCE, name="forgets")
        await idempotency.begin(unit, silent)
        await idempotency.finish(unit, silent, 200, None)
        assert await idempotency.find_earlier(unit, silent) == EarlierWrite(is_same=True, status=200)


async def test_without_the_key_of_what_is_sensitive_it_is_still_done_once(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await unit.vault.own_key()
    async with replace(memory, keyring=OTHER_KEYS).unit(ada) as unit:
        assert await idempotency.begin(unit, ONCE)
        await idempotency.finish(unit, ONCE, 201, ANSWER)
        assert await idempotency.find_earlier(unit, ONCE) == EarlierWrite(is_same=True, status=201)
        assert not await idempotency.begin(unit, ONCE)
