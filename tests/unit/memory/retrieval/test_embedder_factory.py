"""Which embedder the settings choose, and what a further one needs."""

from pathlib import Path

import pytest

from memory.errors import SettingsError
from memory.retrieval.embedders.factory import (
    LOCAL_EMBEDDERS,
    Server,
    is_remote,
    make_embedder,
    make_previous_embedder,
    previous_server,
)
from memory.retrieval.embedders.registry import EMBEDDERS, SERVERS, EmbedderSpec, join_with_or
from memory.settings import variables
from memory.settings.environment import load_settings
from tests.tables import table

VOYAGE = "https://api.voyageai.com/v1"
NO_FILE = Path("/nonexistent/.env")


@table(
    ("given", "model"),
    [
        ({}, "multilingual-e5-small-q4"),
        ({"KEEPSAKE_EMBEDDER": "voyage", "KEEPSAKE_EMBEDDER_KEY": "k"}, "voyage-3.5"),
        ({"KEEPSAKE_EMBEDDER": "openai", "KEEPSAKE_EMBEDDER_KEY": "k"}, "text-embedding-3-small"),
        (
            {
                "KEEPSAKE_EMBEDDER": "openai",
                "KEEPSAKE_EMBEDDER_URL": "http://127.0.0.1:11434/v1",
                "KEEPSAKE_EMBEDDER_MODEL": "bge-m3",
            },
            "bge-m3",
        ),
    ],
)
async def test_the_embedder_is_the_one_that_the_settings_choose(given: dict[str, str], model: str) -> None:
    embedder = make_embedder(load_settings(given, NO_FILE))
    assert embedder is not None

    assert embedder.model == model
    await embedder.close()


LOCAL = {"KEEPSAKE_EMBEDDER": "openai", "KEEPSAKE_EMBEDDER_URL": "http://127.0.0.1:11434/v1"}
BEFORE = {"KEEPSAKE_EMBEDDER_BEFORE": "voyage", "KEEPSAKE_EMBEDDER_BEFORE_KEY": "old"}


@table(
    ("given", "server"),
    [
        ({}, None),
        (LOCAL, Server("http://127.0.0.1:11434/v1", None)),
        ({"KEEPSAKE_EMBEDDER": "voyage", "KEEPSAKE_EMBEDDER_KEY": "new"}, Server(VOYAGE, "new")),
        (BEFORE, Server(VOYAGE, "old")),
        (LOCAL | BEFORE, Server(VOYAGE, "old")),
        ({"KEEPSAKE_EMBEDDER_BEFORE": "http://h/v1/"}, Server("http://h/v1", None)),
    ],
)
async def test_old_vectors_are_served_by_the_server_before_or_else_by_the_one_that_is_set(
    given: dict[str, str], server: Server | None
) -> None:
    settings = load_settings(given, NO_FILE)
    former = make_previous_embedder(settings, "m")

    assert previous_server(settings) == server
    assert (former is None) == (server is None)
    if former is not None:
        assert (former.embedder.model, former.is_remote) == ("m", True)
        await former.embedder.close()


@table("given", [{}, LOCAL, BEFORE])
async def test_old_vectors_of_the_bundled_model_are_served_here(given: dict[str, str]) -> None:
    former = make_previous_embedder(load_settings(given, NO_FILE), "multilingual-e5-small-q4")

    assert former is not None
    assert not former.is_remote
    await former.embedder.close()


def test_off_is_no_embedder_whatever_else_is_set() -> None:
    given = {"KEEPSAKE_EMBEDDER": "off", "KEEPSAKE_EMBEDDER_KEY": "k", "KEEPSAKE_EMBEDDER_URL": "http://h"}

    assert make_embedder(load_settings(given, NO_FILE)) is None


@table(
    ("given", "line"),
    [
        ("KEEPSAKE_EMBEDDER=voyage", "KEEPSAKE_EMBEDDER_KEY: got nothing, wants the API key for voyage"),
        ("KEEPSAKE_EMBEDDER=openai", "KEEPSAKE_EMBEDDER_KEY: got nothing, wants the API key for openai"),
        ("KEEPSAKE_EMBEDDER_KEY=k", "KEEPSAKE_EMBEDDER: got settings of a server"),
        ("KEEPSAKE_EMBEDDER_URL=http://h", "KEEPSAKE_EMBEDDER: got settings of a server"),
        ("KEEPSAKE_EMBEDDER=voyage KEEPSAKE_EMBEDDER_URL=http://h", "KEEPSAKE_EMBEDDER_URL: goes with"),
        ("KEEPSAKE_EMBEDDER_BEFORE=voyage", "KEEPSAKE_EMBEDDER_BEFORE_KEY: got nothing, wants the API key for voyage"),
        ("KEEPSAKE_EMBEDDER_BEFORE_KEY=k", "KEEPSAKE_EMBEDDER_BEFORE: got nothing, wants the server that"),
        (
            "KEEPSAKE_EMBEDDER_BEFORE=ollama",
            "KEEPSAKE_EMBEDDER_BEFORE: got 'ollama', wants voyage, openai or an address",
        ),
        ("KEEPSAKE_EMBEDDER=ollama", "KEEPSAKE_EMBEDDER: got 'ollama', wants bundled, voyage, openai or off"),
        ("KEEPSAKE_EMBEDDER=openai KEEPSAKE_EMBEDDER_URL=http://h:x", "KEEPSAKE_EMBEDDER_URL: got 'http://h:x', wants"),
        ("KEEPSAKE_EMBEDDER=voyage KEEPSAKE_EMBEDDER_KEY=schlüssel", "KEEPSAKE_EMBEDDER_KEY: got a value that is not"),
    ],
)
def test_settings_that_do_not_go_together_stop_the_start(given: str, line: str) -> None:
    with pytest.raises(SettingsError) as error:
        load_settings(dict(pair.split("=") for pair in given.split()), NO_FILE)

    assert str(error.value).startswith(line)


def test_every_row_has_an_engine_or_an_address_and_is_named_where_one_is_chosen() -> None:
    meaning = variables()["KEEPSAKE_EMBEDDER"].description

    assert set(EMBEDDERS) == set(LOCAL_EMBEDDERS) | set(SERVERS)
    assert not set(LOCAL_EMBEDDERS) & set(SERVERS)
    assert meaning
    assert [name for name in EMBEDDERS if name not in meaning] == []


@table(
    ("given", "remote"),
    [({}, False), ({"KEEPSAKE_EMBEDDER": "off"}, False), (LOCAL, True)],
)
def test_whatever_is_asked_over_http_is_remote(given: dict[str, str], remote: bool) -> None:
    assert is_remote(load_settings(given, NO_FILE)) == remote


async def test_a_further_server_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    row = EmbedderSpec("acme", "acme-1", "https://acme.example/v1")
    monkeypatch.setitem(EMBEDDERS, "acme", row)
    monkeypatch.setitem(SERVERS, "acme", row)
    chosen = {"KEEPSAKE_EMBEDDER": "acme", "KEEPSAKE_EMBEDDER_KEY": "k"}
    settings = load_settings(chosen, NO_FILE)
    embedder = make_embedder(settings)

    assert embedder is not None
    assert embedder.model == "acme-1"
    assert is_remote(settings)
    assert previous_server(settings) == Server("https://acme.example/v1", "k")
    before = load_settings({"KEEPSAKE_EMBEDDER_BEFORE": "acme", "KEEPSAKE_EMBEDDER_BEFORE_KEY": "old"}, NO_FILE)
    assert previous_server(before) == Server("https://acme.example/v1", "old")
    for wrong, line in (
        ({"KEEPSAKE_EMBEDDER": "acme"}, "KEEPSAKE_EMBEDDER_KEY: got nothing, wants the API key for acme."),
        (
            chosen | {"KEEPSAKE_EMBEDDER_URL": "http://h"},
            "KEEPSAKE_EMBEDDER_URL: goes with KEEPSAKE_EMBEDDER=openai, not with acme.",
        ),
        (
            {"KEEPSAKE_EMBEDDER_MODEL": "m"},
            "KEEPSAKE_EMBEDDER: got settings of a server, wants voyage, openai or acme with them.",
        ),
    ):
        with pytest.raises(SettingsError) as error:
            load_settings(wrong, NO_FILE)
        assert str(error.value) == line
    await embedder.close()


@table(("names", "sentence"), [(("a",), "a"), (("a", "b"), "a or b"), (("a", "b", "c"), "a, b or c")])
def test_names_are_listed_as_in_a_sentence(names: tuple[str, ...], sentence: str) -> None:
    assert join_with_or(*names) == sentence
