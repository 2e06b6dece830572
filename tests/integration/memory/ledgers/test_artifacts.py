"""Artifacts: kept once, without secrets, sealed where they must be, and gone when they are old and not cited."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert

from db.queries.events.events import event_row
from db.queries.ledgers.artifacts import ArtifactRow
from db.tables import Chunk
from db.viewer import Viewer
from db.vocabulary import Approval, ArtifactKind, Category, Channel, EventKind, Sensitivity
from memory.errors import NotFound, Refused
from memory.events.record import NOT_STORED_HERE
from memory.facts.facts import FactDraft, remember
from memory.ledgers import artifacts, decisions
from memory.ledgers.decisions import DecisionDraft
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.company import aloud, found_together, written
from tests.conftest import NOON

OUTPUT, BLOB, DOCUMENT = ArtifactKind.TOOL_OUTPUT, ArtifactKind.BLOB, ArtifactKind.DOCUMENT
SICK = "My sister Zelda has diabetes"
SECRET = "sk-ant-api03-" + "Zz9-" * 20
PICTURE = b"\x89PNG\r\n\xff\xfe\x00"


async def keep(memory: Memory, viewer: Viewer, data: bytes | str, *, day: int = 0, **given: Any) -> ArtifactRow:
    raw = data.encode() if isinstance(data, str) else data
    async with memory.unit(viewer, now=NOON + timedelta(days=day)) as unit:
        return await artifacts.store_bytes(unit, raw, **{"kind": OUTPUT, **given})


async def data_of(memory: Memory, viewer: Viewer, artifact_id: str) -> bytes | None:
    async with memory.unit(viewer, read_only=True) as unit:
        try:
            return await artifacts.read_bytes(unit, artifact_id)
        except NotFound:
            return None


def dump(url: str, tenant: str) -> str:
    with psycopg.connect(url) as admin:
        query = "SELECT a::text, encode(bytes, 'escape') FROM artifacts AS a WHERE tenant_id = %s"
        return str(admin.execute(query, (tenant,)).fetchall())


async def test_the_same_bytes_are_kept_once_and_rest_on_all_their_refs(memory: Memory, ada: Viewer) -> None:
    first = await keep(memory, ada, "out", refs=["evt_1"], meta={"tool": "ls"})
    again = await keep(memory, ada, "out", day=1, refs=["evt_2"])

    assert (again.id, again.refs, again.meta) == (first.id, ["evt_1", "evt_2"], {"tool": "ls"})
    assert again.ts == NOON + timedelta(days=1)


async def test_another_person_audience_or_purpose_has_its_own(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    rows = [
        await keep(memory, ada, "out"),
        await keep(memory, ben, "out"),
        await keep(memory, aloud(ada, space), "out"),
        await keep(memory, replace(ada, space=space), "out"),
        await keep(memory, ada, "out", kind=DOCUMENT),
    ]

    assert len({row.id for row in rows}) == 5
    assert await data_of(memory, aloud(ben, space), rows[2].id) == b"out"
    assert await data_of(memory, replace(ben, space=space), rows[3].id) is None


async def test_a_secret_is_taken_out_before_the_bytes_are_hashed(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    row = await keep(memory, ada, f"key {SECRET}\r\n", meta={"path": f"/x/{SECRET}"})
    same = await keep(memory, ada, str((row.data or b"").decode()))

    assert (row.id, b"left out" in (row.data or b"")) == (same.id, True)
    assert "sk-ant" not in dump(superuser_url, ada.tenant)


async def test_bytes_that_are_no_text_are_kept_as_they_are_as_a_blob_only(memory: Memory, ada: Viewer) -> None:
    picture = await keep(memory, ada, PICTURE, kind=BLOB)
    assert await data_of(memory, ada, picture.id) == PICTURE

    for kind in (OUTPUT, DOCUMENT):
        with pytest.raises(Refused, match="not UTF-8 text"):
            await keep(memory, ada, PICTURE, kind=kind)
    for hidden in (SECRET.encode(), SECRET.encode("utf-16-le")):
        with pytest.raises(Refused, match="secret"):
            await keep(memory, ada, PICTURE + hidden, kind=BLOB)
    async with memory.unit(ada, read_only=True) as unit:
        with pytest.raises(Refused, match="Only its bytes"):
            await artifacts.read_lines(unit, picture.id)


@pytest.mark.parametrize("meta", [{"deep": {"er": 1}}, {"long": "x" * 1001}, {str(n): n for n in range(21)}])
async def test_a_description_is_short_and_flat(memory: Memory, ada: Viewer, meta: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="meta may have"):
        await keep(memory, ada, "out", meta=meta)


async def test_lines_are_read_by_their_numbers_and_no_more_than_fits(memory: Memory, ada: Viewer) -> None:
    row = await keep(memory, ada, "".join(f"line {number}\n" for number in range(1, 20_001)))
    async with memory.unit(ada, read_only=True) as unit:
        some = await artifacts.read_lines(unit, row.id, first_line=3, last_line=4)
        all_of_it = await artifacts.read_lines(unit, row.id)
        beyond = await artifacts.read_lines(unit, row.id, first_line=30_000)

    assert (some.text, some.first_line, some.last_line, some.lines) == ("line 3\nline 4\n", 3, 4, 20_000)
    assert all_of_it.truncated
    assert all_of_it.text.endswith(f"line {all_of_it.last_line}\n")
    assert (beyond.text, beyond.truncated) == ("", False)


async def test_what_is_sensitive_is_sealed_still_kept_once_and_refused_where_nobody_could_read_it(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    row = await keep(memory, ada, SICK, meta={"path": "zelda.txt"})
    again = await keep(memory, ada, SICK)

    assert (again.id, again.data, again.meta) == (row.id, SICK.encode(), {"path": "zelda.txt"})
    assert "elda" not in dump(superuser_url, ada.tenant)
    agent = replace(ada, channel=Channel.AGENT)
    assert await data_of(memory, agent, row.id) is None
    with pytest.raises(Refused, match="Tell me in private"):
        await keep(memory, agent, SICK)


async def remove_old(memory: Memory, viewer: Viewer, *, day: int) -> int:
    async with memory.unit(viewer) as unit:
        return await artifacts.remove_old(unit, NOON + timedelta(days=day))


async def cite(memory: Memory, viewer: Viewer, ref: str) -> None:
    async with memory.unit(viewer, now=NOON) as unit:
        draft = DecisionDraft(f"because of {ref}", refs=(ref,))
        await decisions.add_decision(unit, draft, event_id=None, ts=NOON, sensitivity=Sensitivity.NONE)


async def test_old_outputs_and_blobs_go_but_no_document_and_nothing_new(memory: Memory, ada: Viewer) -> None:
    for kind in (OUTPUT, BLOB, DOCUMENT):
        await keep(memory, ada, f"old {kind}", kind=kind)
    await keep(memory, ada, "again")
    young = [await keep(memory, ada, "new", day=2), await keep(memory, ada, "again", day=2)]

    assert await remove_old(memory, ada, day=1) == 2
    assert [await data_of(memory, ada, row.id) for row in young] == [b"new", b"again"]
    assert await remove_old(memory, ada, day=3) == 2


async def test_what_a_decision_cites_is_kept_however_it_names_it(memory: Memory, ada: Viewer) -> None:
    """By the artifact itself, by an event that shows it, by a sealed event that it was made in, by a chunk of it."""
    rows = [await keep(memory, ada, f"output {number}") for number in range(6)]
    async with memory.unit(ada, now=NOON) as unit:
        showing = await written(unit, EventKind.TOOL_RESULT, {"excerpt_text": "x", "artifact_id": rows[1].id})
        hidden = await written(unit, EventKind.TOOL_RESULT, {"excerpt_text": SICK, "artifact_id": rows[2].id})
        scope = {"tenant_id": ada.tenant, "user_id": ada.person, "space_id": ada.place, "channel": ada.channel}
        words = {"ts": NOON, "kind": "document", "token_est": 1, "text": "x", "text_hash": b"", "terms": "x"}
        cut = {"chk_a": {"artifact_id": rows[3].id}, "chk_e": {"event_id": showing}}
        for name, source in cut.items():
            await unit.session.execute(insert(Chunk).values(id=name, thread=name, **scope, **words, **source))
    await keep(memory, ada, "output 2", refs=[hidden])
    for ref in (rows[0].id, "chk_e", hidden, "chk_a"):
        await cite(memory, ada, ref)

    assert await remove_old(memory, ada, day=1) == 2
    left = [await data_of(memory, ada, row.id) for row in rows]
    assert left == [b"output 0", b"output 1", b"output 2", b"output 3", None, None]


async def test_what_another_member_decided_on_it_keeps_it_too(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    row = await keep(memory, aloud(ada, space), "said aloud")
    await cite(memory, aloud(ben, space), row.id)

    assert await remove_old(memory, ada, day=1) == 0


async def test_the_pass_removes_what_is_due_for_everybody(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    rows = [(viewer, await keep(memory, viewer, "old")) for viewer in (ada, ben)]

    assert await artifacts.remove_due(memory, ada.tenant, NOON + timedelta(days=89)) == 0
    assert await artifacts.remove_due(memory, ada.tenant, NOON + timedelta(days=91)) == 2
    assert [await data_of(memory, viewer, row.id) for viewer, row in rows] == [None, None]


async def test_a_forgotten_fact_is_blanked_in_the_texts_that_repeat_it(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    long = await keep(memory, ada, "The door is green. Alec is her boss. Tea is hot.", kind=DOCUMENT)
    alike = [await keep(memory, ada, words) for words in ("Alec is my boss", "ALEC is my boss")]
    hidden = await keep(memory, ada, f"{SICK}. Alec is the boss.")
    blob = await keep(memory, ada, PICTURE + b"Alec is my boss", kind=BLOB)
    named = await keep(memory, ada, "a list", meta={"title": "Alec is my boss"})
    async with memory.unit(ada, now=NOON) as unit:
        await remember(unit, FactDraft("Alec is my boss", Category.PERSON, subject="Alec"), Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))

    assert (await data_of(memory, ada, long.id) or b"").decode() == f"The door is green. {'█' * 17} Tea is hot."
    assert (await data_of(memory, ada, hidden.id) or b"").decode() == f"{SICK}. {'█' * 17}"
    assert [await data_of(memory, ada, row.id) for row in (blob, named)] == [None, None]
    assert len([row for row in alike if await data_of(memory, ada, row.id)]) == 1
    assert "alec" not in dump(superuser_url, ada.tenant).lower()


async def test_what_was_kept_in_a_forgotten_time_is_forgotten(memory: Memory, ada: Viewer) -> None:
    old, new = await keep(memory, ada, "old"), await keep(memory, ada, "new", day=2)
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(since=NOON + timedelta(days=1)))

    assert [await data_of(memory, ada, row.id) for row in (old, new)] == [b"old", None]


async def test_an_output_that_is_longer_than_an_artifact_costs_no_event(
    memory: Memory, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.events.tool_results.LONGEST_WHOLE", 100_000)
    monkeypatch.setattr("memory.ledgers.artifacts.LONGEST_TEXT", 100_000)
    output = "".join(f"line {number}\n" for number in range(30_000))
    async with memory.unit(ada, now=NOON) as unit:
        told = await written(unit, EventKind.TOOL_RESULT, {"text": output})
        found = await event_row(unit.session, ada, told)
        assert found is not None
        kept = await artifacts.read_bytes(unit, found.content["artifact_id"])

    assert len(kept) <= 100_000
    assert output.encode().startswith(kept)
    assert found.content["not_kept_bytes"] == len(output) - len(kept)
    assert (len(found.content["excerpt_text"]) <= 64 * 1024, found.content["truncated"]) == (True, True)


async def test_an_output_whose_rest_is_too_sensitive_for_the_channel_costs_no_event(
    memory: Memory, ada: Viewer
) -> None:
    async with memory.unit(replace(ada, channel=Channel.AGENT), now=NOON) as unit:
        told = await written(unit, EventKind.TOOL_RESULT, {"text": "a line\n" * 10_000 + SICK})
        found = await event_row(unit.session, unit.viewer, told)

    assert found is not None
    assert (found.content["truncated"], found.content["whole"]) == (True, NOT_STORED_HERE)
    assert "artifact_id" not in found.content
