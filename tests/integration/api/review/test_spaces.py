"""Spaces on the page: created, joined by a code that is shown once, managed by their owners, left."""

import re

import httpx

from db.queries.people.spaces import enter_group
from db.viewer import Viewer
from db.vocabulary import Category
from memory.errors import Refused, translate_error
from memory.refusals import Refusal
from memory.translation import use_language
from tests.daemon import Daemon
from tests.memories import kept, shared, space_of_two
from tests.visitor import Visitor, enter, met, shown

CODE = re.compile(r'<code id="invitation">([A-Za-z0-9_-]{22})</code>')


async def founded(visitor: Visitor, name: str = "Garden") -> str:
    answer = await visitor.post("/spaces", {"name": name})
    assert answer.status_code == 200
    return answer.url.path.rpartition("/")[2]


async def invited(visitor: Visitor, space: str) -> str:
    answer = await visitor.post(f"/spaces/{space}/invite")
    found = CODE.search(answer.text)
    assert found, answer.text
    return found[1]


async def test_a_space_is_created_joined_by_a_code_managed_and_left(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    async with await enter(daemon, ada) as owner, await enter(daemon, ben) as member:
        space = await founded(owner)
        code = await invited(owner, space)
        joined = await member.post("/spaces/join", {"code": f" {code} "})
        assert "You're in." in shown(joined.text)
        assert "telegram:ben" in await owner.read(f"/spaces/{space}")

        again = await member.post("/spaces/join", {"code": code})
        assert "This invitation doesn't work" in shown(again.text)

        await owner.post(f"/spaces/{space}/owner", {"member": "telegram:ben"})
        assert "Get a code" in await member.read(f"/spaces/{space}")

        left = await owner.post(f"/spaces/{space}/leave")
        assert "You left the space" in shown(left.text)
        assert "You aren't in a shared space yet" in shown(left.text)
        assert (await owner.get(f"/spaces/{space}")).status_code == 404
        assert "telegram:ada" not in await member.read(f"/spaces/{space}")


async def test_members_are_called_by_their_names_and_told_apart_by_their_ids(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "7", name="Sam"), await met(daemon, "8", name='Sam <script>"x"</script> \u202e')
    space = await space_of_two(daemon.memory, ada, ben)
    ladder = await kept(daemon.memory, ben, "I bring the ladder", Category.PROJECT)
    await shared(daemon.memory, ben, ladder.row.id, space)
    async with await enter(daemon, ada) as owner:
        answer = await owner.get(f"/spaces/{space}")
    page = shown(answer.text)

    assert "Sam telegram:7 you" in page
    assert 'Sam <script>"x"</script> \u202e telegram:8' in page
    assert 'from Sam <script>"x"</script>' in page
    assert "<script>" not in answer.text


async def test_a_code_is_shown_once_and_stands_in_no_address(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as owner:
        space = await founded(owner)
        answer = await owner.post(f"/spaces/{space}/invite")
        assert CODE.search(answer.text)
        assert (answer.url.query, answer.history) == (b"", [])
        assert not CODE.search((await owner.get(f"/spaces/{space}")).text)


async def test_an_owner_removes_a_member_whose_facts_go_home(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    space = await space_of_two(daemon.memory, ada, ben)
    ladder = await kept(daemon.memory, ben, "I bring the ladder", Category.PROJECT)
    await shared(daemon.memory, ben, ladder.row.id, space)
    async with await enter(daemon, ada) as owner, await enter(daemon, ben) as member:
        assert "I bring the ladder" in await owner.read(f"/spaces/{space}")
        answer = await owner.post(f"/spaces/{space}/remove", {"member": "telegram:ben"})
        assert "I removed that member" in shown(answer.text)
        assert "ladder" not in shown(answer.text)
        assert (await member.get(f"/spaces/{space}")).status_code == 404


async def test_a_member_who_leads_nothing_is_offered_nothing_and_refused(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    space = await space_of_two(daemon.memory, ada, ben)
    async with await enter(daemon, ben) as member, await enter(daemon, ada) as owner:
        page = (await member.get(f"/spaces/{space}")).text
        assert "/invite" not in page
        assert "/remove" not in page
        answers = [
            await member.post(f"/spaces/{space}/invite"),
            await member.post(f"/spaces/{space}/remove", {"member": "telegram:ada"}),
            await member.post(f"/spaces/{space}/owner", {"member": "telegram:ben"}),
        ]
        assert [each.status_code for each in answers] == [422, 422, 422]
        assert all("Only an owner" in each.text for each in answers)
        themselves = await owner.post(f"/spaces/{space}/remove", {"member": "telegram:ada"})
        assert themselves.status_code == 404
        assert await owner.read(f"/spaces/{space}") == await owner.read(f"/spaces/{space}")


async def test_a_space_of_others_does_not_exist(daemon: Daemon) -> None:
    ada, ben, eve = [await met(daemon, name) for name in ("ada", "ben", "eve")]
    space = await space_of_two(daemon.memory, ada, ben, "Secret garden")
    fact = await kept(daemon.memory, ada, "We grow blue roses")
    await shared(daemon.memory, ada, fact.row.id, space)
    async with await enter(daemon, eve) as stranger:
        answers: list[httpx.Response] = [await stranger.get(f"/spaces/{space}"), await stranger.get("/spaces")]
        for action in ("invite", "leave", "remove", "owner"):
            answers.append(await stranger.post(f"/spaces/{space}/{action}", {"member": "telegram:eve"}))
    async with await enter(daemon, ada) as owner:
        told = await owner.read(f"/spaces/{space}")

    assert [each.status_code for each in answers] == [404, 200, 404, 404, 404, 404]
    assert not [each for each in answers if "arden" in each.text or "roses" in each.text]
    assert "telegram:eve" not in told
    assert "We grow blue roses" in told


async def test_only_what_is_shared_in_it_stands_in_a_space(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    one = await space_of_two(daemon.memory, ada, ben, "Garden")
    other = await space_of_two(daemon.memory, ada, ben, "Choir")
    await kept(daemon.memory, ada, "I keep this to myself")
    roses, songs = await kept(daemon.memory, ada, "We grow roses"), await kept(daemon.memory, ben, "We sing on Monday")
    await shared(daemon.memory, ada, roses.row.id, one)
    await shared(daemon.memory, ben, songs.row.id, other)
    async with await enter(daemon, ada) as visitor:
        garden, choir = [(await visitor.get(f"/spaces/{space}")).text for space in (one, other)]

    assert "roses" in garden
    assert "sing on Monday" not in garden
    assert f"/memory/{songs.row.id}?space={other}" in choir
    assert "to myself" not in garden + choir


async def test_a_name_that_is_none_stays_in_its_field_with_why(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        for name in ("", "x" * 101, "  \u200b "):
            answer = await visitor.post("/spaces", {"name": name})
            assert answer.status_code == 422
            assert "The name of a space has to be 1 to 100 characters" in answer.text
        assert "You aren't in a shared space yet" in await visitor.read("/spaces")


async def test_hostile_names_are_names(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    async with await enter(daemon, ada) as owner:
        space = await founded(owner, "<script>alert(1)</script>")
        for words in ("<script>alert('x')</script>", "🧡" * 500):
            fact = await kept(daemon.memory, ada, words)
            await shared(daemon.memory, ada, fact.row.id, space)
        pages = [(await owner.get(path)).text for path in ("/spaces", f"/spaces/{space}")]

    assert not [page for page in pages if "<script>alert" in page]
    assert "🧡" * 500 in pages[1]
    assert ben


async def test_a_group_is_shown_but_nobody_can_manage_it_here(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    async with daemon.memory.unit(ada) as unit:
        space, _ = await enter_group(
            unit.session, chat="telegram:-1", new_id="spc_1", called="Band", is_admin=True, now=unit.now
        )
        await enter_group(unit.session, chat="telegram:-2", new_id="spc_2", called="", is_admin=True, now=unit.now)
    async with await enter(daemon, ada) as visitor:
        assert "Band" in (listed := await visitor.read("/spaces"))
        assert "spc_2" in listed  # one without a name has a link too
        told = await visitor.read(f"/spaces/{space}")
        assert "This is a group chat" in told
        assert "Get a code" not in told
        assert (await visitor.post(f"/spaces/{space}/leave")).status_code == 404
        refused = await visitor.post(f"/spaces/{space}/invite")
        visitor.http.headers["Accept-Language"] = "de-AT"
        in_german = await visitor.post(f"/spaces/{space}/invite")
        assert (await visitor.get(f"/spaces/{Viewer.in_private('x', 'telegram:ada').space}")).status_code == 404

    assert (refused.status_code, in_german.status_code) == (422, 422)
    assert "This space belongs to a group chat" in shown(refused.text)
    refusal = Refused(Refusal.GROUP_MEMBERS)
    with use_language("de"):
        german = translate_error(refusal)
    assert german != str(refusal)
    assert german in shown(in_german.text)


async def test_without_the_token_of_the_page_nothing_happens(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        space = await founded(visitor)
        for path in ("/spaces", "/spaces/join", *(f"/spaces/{space}/{each}" for each in "invite leave".split())):
            assert (await visitor.post(path, {"name": "x", "code": "y"}, token="0" * 64)).status_code == 403
        assert (await visitor.get(f"/spaces/{space}")).status_code == 200
