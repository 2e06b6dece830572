"""Settings on the page: a choice applies at once, and people can end their own sessions and keys only."""

from db.queries.people.people import Choices, choices_of, choose_language
from db.viewer import Viewer
from db.vocabulary import Category, Mode, Scope
from memory.people.keys import list_keys, make_key
from tests.daemon import Daemon
from tests.tables import table
from tests.visitor import enter, link_for, met, shown, stranger


async def choices(daemon: Daemon, viewer: Viewer) -> Choices:
    async with daemon.memory.unit(viewer, read_only=True) as unit:
        return await choices_of(unit.session, viewer)


async def test_everything_that_is_chosen_is_kept_and_shown(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    async with await enter(daemon, ada) as visitor:
        await visitor.post("/settings/mode", {"mode": "auto"})
        await visitor.post("/settings/never", [("never", "habit"), ("never", "person"), ("never", "nonsense")])
        await visitor.post("/settings/reminders", {"reminders": "on"})
        answer = await visitor.post("/settings/place", {"timezone": " America/Sao_Paulo ", "language": "pt"})
        chosen = await choices(daemon, ada)
        await visitor.post("/settings/never")
        await visitor.post("/settings/reminders")
        after = await choices(daemon, ada)

    assert chosen == Choices(
        "America/Sao_Paulo",
        Mode.AUTO,
        frozenset({Category.HABIT, Category.PERSON}),
        reminders=True,
        language="pt",
        name="ada",
    )
    assert (after.never_remember, after.reminders) == (frozenset(), False)
    assert 'value="auto" checked' in answer.text
    assert 'value="habit" checked' in answer.text
    assert 'value="America/Sao_Paulo"' in answer.text
    assert '<option value="pt" lang="pt" selected>' in answer.text
    assert await choices(daemon, ben) == Choices("UTC", Mode.CONFIRM, frozenset(), name="ben")


@table("zone", ["Nowhere/At_All", "", "../../etc/passwd", "<script>", "x" * 5_000, "europe/berlin", "Factory\0"])
async def test_an_unknown_time_zone_is_refused_with_the_reason(daemon: Daemon, zone: str) -> None:
    ada = await met(daemon, "ada")
    async with await enter(daemon, ada) as visitor:
        answer = await visitor.post("/settings/place", {"timezone": zone, "language": "de"})

    assert answer.status_code == 422
    assert "I don't know that time zone" in shown(answer.text)
    assert "<script>" not in answer.text.replace("<script src", "")
    assert await choices(daemon, ada) == Choices("UTC", Mode.CONFIRM, frozenset(), name="ada")


@table(("told", "spoken"), [("pt-br", "pt"), ("zh-hans", "zh"), ("en-gb", "en"), ("tlh", "en")])
async def test_the_language_that_is_spoken_is_the_one_that_stands_in_its_field(
    daemon: Daemon, told: str, spoken: str
) -> None:
    """As Telegram names it, which is not how we do: whoever saves a timezone keeps their language."""
    ada = await met(daemon, "ada")
    async with daemon.memory.unit(ada) as unit:
        await choose_language(unit.session, ada, told)
    async with await enter(daemon, ada) as visitor:
        answer = await visitor.get("/settings")

    assert answer.text.count(" selected>") == 1
    assert f'<option value="{spoken}" lang="{spoken}" selected>' in answer.text


async def test_a_mode_or_a_language_that_is_none_changes_nothing(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    async with await enter(daemon, ada) as visitor:
        answers = [
            await visitor.post("/settings/mode", {"mode": "always"}),
            await visitor.post("/settings/place", {"timezone": "UTC", "language": "tlh"}),
        ]

    assert [each.status_code for each in answers] == [404, 404]
    assert await choices(daemon, ada) == Choices("UTC", Mode.CONFIRM, frozenset(), name="ada")


async def test_signing_out_everywhere_ends_every_session_and_link_of_that_person_only(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    async with await enter(daemon, ada) as one, await enter(daemon, ada) as two, await enter(daemon, ben) as other:
        link = await link_for(daemon, ada)
        told = await one.read("/settings")
        assert told.count("this one") == 1
        assert "Where you're signed in 2" in told
        answer = await one.post("/settings/sessions")
        assert "You're signed out" in shown(answer.text)
        assert [(await each.get("/settings")).status_code for each in (one, two, other)] == [401, 401, 200]
    async with stranger(daemon) as late:
        assert (await late.post(f"/review/open/{link}")).status_code != 200


async def test_keys_are_shown_without_their_secret_and_revoked_for_good(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    mine, secret = await make_key(
        daemon.memory, daemon.tenant, user=ada.person, agent="coder", scopes=[Scope.READ], name="<b>Laptop</b>"
    )
    theirs, _ = await make_key(daemon.memory, daemon.tenant, user=ben.person, name="Ben's own")
    tenants, _ = await make_key(daemon.memory, daemon.tenant, name="The backend")
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/settings")).text
        assert "&lt;b&gt;Laptop&lt;/b&gt;" in answer
        assert "agent coder , can only suggest" in shown(answer)
        assert secret not in answer
        assert "Ben" not in answer
        assert "The backend" not in answer

        for key in (theirs, tenants, "key_nothing"):
            assert "There is no such key" in shown((await visitor.post(f"/settings/keys/{key}/revoke")).text)
        done = await visitor.post(f"/settings/keys/{mine}/revoke")

    assert "The key is revoked" in shown(done.text)
    assert "You have no keys" in shown(done.text)
    assert {key.id for key in await list_keys(daemon.memory, daemon.tenant) if key.revoked_at} == {mine}


async def test_without_the_token_of_the_page_nothing_is_chosen(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    key, _ = await make_key(daemon.memory, daemon.tenant, user=ada.person)
    async with await enter(daemon, ada) as visitor:
        for path in ("mode", "never", "reminders", "place", "sessions", f"keys/{key}/revoke"):
            fields = {"mode": "auto", "never": "habit", "reminders": "on", "timezone": "Asia/Tokyo", "language": "ru"}
            assert (await visitor.post(f"/settings/{path}", fields, token="")).status_code == 403
        assert (await visitor.get("/settings")).status_code == 200

    assert await choices(daemon, ada) == Choices("UTC", Mode.CONFIRM, frozenset(), name="ada")
