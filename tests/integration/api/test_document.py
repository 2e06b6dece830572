"""The OpenAPI document is true: schemathesis finds no 5xx and no answer that the document does not tell of.

Erasing is tried elsewhere: it would end the key of this test. Not everything that has the right shape must be accepted
(a secret, a cursor of nobody's, a tag that is old), so that is not asked for.
"""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory.people.keys import make_key
from tests.daemon import ALL, Daemon
from tests.waiting import STUCK

KEYS: dict[str, dict[str, str] | None] = {
    "owner": {"user": "api:ada"},
    "agent": {"user": "api:ada", "agent": "helper"},
    "backend": {},
    "nobody": None,
}
# How many requests are made up for each operation, beside those at the edges of its fields. An agent and a backend come
# through the same doors as the owner, to fewer rooms.
EXAMPLES = {"owner": 15, "agent": 6, "backend": 6}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE")
ERASING = "erase_everything_api_v1_memory_delete"
CASES = re.compile(r"(\d+) generated")
PROGRAM = "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())"


@pytest.fixture(params=list(KEYS))
def key(request: pytest.FixtureRequest, served: Daemon, tenant: str) -> str | None:
    whose = KEYS[request.param]
    if whose is None:
        return None
    assert served.loop
    made = asyncio.run_coroutine_threadsafe(make_key(served.memory, tenant, scopes=ALL, **whose), served.loop)
    return made.result(STUCK)[1]


@pytest.fixture
def spared(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The owner alone may erase everything; once they did, nothing else would be tried with their key."""
    return ("--exclude-operation-id", ERASING) if request.node.callspec.params["key"] == "owner" else ()


@pytest.fixture
def document(served: Daemon) -> dict[str, Any]:
    told: dict[str, Any] = httpx.get(f"{served.url}/openapi.json", timeout=STUCK).json()
    return told


def tried(served: Daemon, key: str | None, folder: Path, *options: str) -> int:
    """How many requests schemathesis made; none of them was answered in a way that it finds wrong."""
    # As somebody runs it: its plugin for pytest does not know this pytest.
    command = [sys.executable, "-c", PROGRAM, "run", f"{served.url}/openapi.json"]
    command += ["--exclude-checks", "positive_data_acceptance", "--warnings", "off"]
    command += ["--generation-deterministic", "--request-timeout", str(STUCK)]
    command += ["--suppress-health-check", "all", "--continue-on-failure", *options]
    if key is not None:
        command += ["--header", f"Authorization: Bearer {key}"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counted = CASES.search(ran.stdout)
    assert counted, ran.stdout
    return int(counted[1])


@pytest.mark.slow
@pytest.mark.parametrize("key", ["owner"], indirect=True)
def test_whatever_is_asked_is_answered_as_the_document_says(
    served: Daemon, key: str | None, spared: tuple[str, ...], tmp_path: Path
) -> None:
    """A few of each, by whoever may do most; everybody has a turn below."""
    few = ("--phases", "examples,fuzzing", "--max-examples", "2", "--no-shrink")

    assert tried(served, key, tmp_path, *spared, *few) > 50


@pytest.mark.slow
@pytest.mark.first
@pytest.mark.parametrize("key", list(EXAMPLES), indirect=True)
def test_also_at_every_edge_of_every_field_and_by_methods_that_are_none(
    request: pytest.FixtureRequest, served: Daemon, key: str | None, spared: tuple[str, ...], tmp_path: Path
) -> None:
    examples = EXAMPLES[request.node.callspec.params["key"]]
    many = ("--phases", "examples,coverage,fuzzing,stateful", "--max-examples", str(examples))

    assert tried(served, key, tmp_path, *spared, *many) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("key", ["nobody"], indirect=True)
def test_whoever_has_no_key_hears_what_the_document_says(served: Daemon, key: str | None, tmp_path: Path) -> None:
    """The key is asked for before anything of a request is read, so that its edges are not reached."""
    assert tried(served, key, tmp_path, "--phases", "examples,fuzzing", "--max-examples", "15") > 300


def test_without_a_key_no_method_finds_a_way_in(served: Daemon, document: dict[str, Any]) -> None:
    open_to_all = {"/api/v1/healthz", "/api/v1/metrics"}
    missed = []
    with httpx.Client(base_url=served.url, timeout=STUCK) as nobody:
        for path, operations in document["paths"].items():
            for method in METHODS:
                answer = nobody.request(method, path.replace("{id}", "aaaaaaaa").replace("{name}", "rules"))
                known = 200 if path in open_to_all else 401
                if answer.status_code != (known if method.lower() in operations else 405):
                    missed.append((method, path, answer.status_code))

    assert missed == []


def test_the_document_lists_exactly_the_paths_of_the_design(document: dict[str, Any]) -> None:
    paths = document["paths"]
    told = {f"{method.upper()} {path.removeprefix('/api/v1/')}" for path, each in paths.items() for method in each}

    assert told == {
        "POST events",
        "POST acb/build",
        "GET artifacts/{id}",
        "POST decisions",
        "GET decisions/query",
        "POST tasks",
        *(f"{method} memory" for method in ("GET", "POST", "PUT", "DELETE")),
        *(f"{method} memory/{{id}}" for method in ("GET", "PUT", "DELETE")),
        "PATCH memory/{id}/visibility",
        "POST memory/forget",
        "GET proposals",
        "POST proposals/{id}/accept",
        "POST proposals/{id}/reject",
        "GET views/{name}",
        "PUT views/{name}",
        "POST handoffs",
        "GET spaces/{id}/facts",
        "GET healthz",
        "GET metrics",
    }


def test_every_request_has_an_example_and_every_error_is_a_problem(document: dict[str, Any]) -> None:
    models = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            for status, answer in operation["responses"].items():
                if status >= "400":
                    assert set(answer["content"]) == {"application/problem+json"}, (where, status)
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                model = models[body["$ref"].rpartition("/")[2]]
                assert {**model, **body}.get("examples"), where
