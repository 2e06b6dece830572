"""How the review page is protected: form tokens, security headers, and users' words that never become markup."""

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import httpx
import psycopg

from api.app import make_app
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.vocabulary import Category
from tests.conftest import is_done
from tests.daemon import Daemon, running
from tests.memories import asked, facts_of, kept, said, space_of_two
from tests.tables import table
from tests.visitor import Visitor, enter, met, shown, stranger
from tests.waiting import STUCK, until

EVIL = [
    "<script>alert(1)</script> is my favourite",
    '"><img src=x onerror=alert(1)> is it',
    "javascript:alert(1) // a link of mine",
    "' onmouseover='alert(1)' x='",
    "</textarea></title><svg onload=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${1} &lt;b&gt;",
    "شاي بالنعناع <b>دائما</b>",
    "🙂" * 500,
    "x" * 500,
]


class Markup(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_harmless(html: str) -> None:
    page = Markup(html)
    assert page.tags.count("script") == 1
    assert page.tags.count("img") == 1  # the sign of the house
    assert not {"svg", "iframe", "style", "object", "embed", "base", "b"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]
    addresses = [value or "" for name, value in page.attributes if name in {"href", "src", "action"}]
    assert all(address.startswith(("/review", "#")) for address in addresses)


async def test_whatever_anybody_wrote_stays_text(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben, name='<img src=x onerror=alert(1)>"')
    for words in EVIL:
        event = await said(memory, viewer, f"so {words} and on")
        fact = await kept(memory, viewer, words, Category.OTHER, source_event_id=event, span=(3, 3 + len(words)))
        async with await enter(daemon, viewer) as ada:
            answer = await ada.post(f"/memory/{fact.row.id}/share", {"version": "1", "space": space})
            assert_harmless(answer.text)
    about = await kept(memory, viewer, "<b>Alec</b> is it", Category.PERSON, subject="<b>Alec</b>")
    for words in EVIL:
        event = await said(memory, viewer, f"thus {words}")
        await asked(memory, viewer, f"{words[:490]} card", source_event_id=event, span=(5, 5 + len(words)))
    async with await enter(daemon, viewer) as ada:
        pages = [
            await ada.get(),
            await ada.get("/memory"),
            await ada.get("/memory", space=space),
            await ada.get("/memory", q="<script>alert(1)</script> favourite"),
            await ada.get("/memory", about="<b>Alec</b>"),
            await ada.get("/memory", category="<script>", page="<script>", space=""),
            await ada.get(f"/memory/{about.row.id}"),
            await ada.post(f"/memory/{about.row.id}/edit", {"version": "1", "words": "<i>"}),
            await ada.post(f"/memory/{about.row.id}/edit", {"version": "1", "words": "<script>alert(2)</script>"}),
            await ada.get("/open/<script>alert(1)</script>"),
            await ada.get("/<script>alert(1)</script>"),
            await ada.get("", flash="<script>alert(1)</script>~x"),
            await ada.get("/memory", flash="stored.<script>"),
        ]
    for answer in pages:
        assert_harmless(answer.text)
    assert all(words in Markup(pages[1].text).text for words in EVIL)


async def test_what_a_person_or_a_model_wrote_has_its_own_direction(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    await kept(daemon.memory, viewer, "أحب القهوة العربية", Category.PREFERENCE)
    async with await enter(daemon, viewer) as ada:
        page = (await ada.get("/memory")).text

    assert '<p class="words" dir="auto"><a class="fact"' in page
    assert '<html lang="en" dir="ltr"' in page


async def test_every_answer_has_the_headers_that_protect_it(daemon: Daemon) -> None:
    paths = ("", "/memory", "/memory/abcdefgh", "/nothing/at/all", "/open/x", "/telegram", "/static/review.css")
    async with stranger(daemon) as somebody:
        answers = [
            await somebody.request(method, f"/review{path}")
            for method in ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS")
            for path in paths
        ]

    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'" in policy
        assert "form-action 'self'; base-uri 'none'; frame-ancestors 'self' https://web.telegram.org" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "permissions-policy" in answer.headers
        assert answer.headers["cache-control"] in {"no-store", "no-cache"}


async def test_pages_of_a_person_have_them_too_and_so_has_what_is_too_long(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        answers = [
            await ada.get(),
            await ada.get("/memory"),
            await ada.post("/cards", [("do", "accept")]),
            await ada.post("/cards", [("do", "x" * 300_000)]),
            await ada.post("/cards", [("do", "x" * 6_000_000)]),
            await ada.http.post("/review/cards", content=b"\xff\xfe", headers={"Content-Type": "text/plain"}),
        ]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 413, 413, 415]
    assert all("default-src 'none'" in answer.headers["content-security-policy"] for answer in answers)


async def test_the_api_keeps_its_own_errors(daemon: Daemon) -> None:
    async with daemon.client_with(None) as anybody:
        answer = await anybody.get("reviews")

    assert answer.headers["content-type"] == "application/problem+json"


async def forms_of(daemon: Daemon, ada: Visitor) -> list[tuple[str, dict[str, str]]]:
    """Every form of the page with what it would need to do something."""
    fact = await kept(daemon.memory, ada.viewer, "I like tea in the morning", Category.PREFERENCE)
    card = await asked(daemon.memory, ada.viewer, "You sing in a choir", Category.HOBBY)
    version = {"version": "1"}
    return [
        (f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash}),
        ("/cards", {"do": "accept", "card": f"{card.row.id}.{card.row.content_hash}"}),
        (f"/memory/{fact.row.id}/edit", {**version, "words": "I like coffee in the morning"}),
        (f"/memory/{fact.row.id}/delete", version),
        (f"/memory/{fact.row.id}/share", version),
        (f"/memory/{fact.row.id}/restore", {**version, "shown": "1"}),
        (f"/memory/{fact.row.id}/undo", version),
        ("/leave", {}),
    ]


@table("token", ["", "0" * 64, "é", "x" * 1000])
async def test_a_form_without_its_token_does_nothing(daemon: Daemon, token: str) -> None:
    async with await enter(daemon, await met(daemon)) as ada:
        answers = [await ada.post(path, fields, token=token) for path, fields in await forms_of(daemon, ada)]
        still_in = await ada.get()

    assert {answer.status_code for answer in answers} == {403}
    assert still_in.status_code == 200
    assert await facts_of(daemon.memory, ada.viewer) == ["I like tea in the morning"]
    assert "You sing in a choir" in shown(still_in.text)


async def test_the_token_of_another_visit_does_nothing_not_even_ones_own(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    async with (
        await enter(daemon, viewer) as ada,
        await enter(daemon, viewer) as at_home,
        await enter(daemon, await met(daemon, "8")) as ben,
    ):
        forms = await forms_of(daemon, ada)
        answers = [
            await ada.post(path, fields, token=token) for token in (at_home.token, ben.token) for path, fields in forms
        ]

    assert {answer.status_code for answer in answers} == {403}
    assert await facts_of(daemon.memory, viewer) == ["I like tea in the morning"]


@table(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ],
)
async def test_a_form_that_comes_from_elsewhere_does_nothing_even_with_its_token(
    daemon: Daemon, headers: dict[str, str]
) -> None:
    async with await enter(daemon, await met(daemon)) as ada:
        for path, fields in await forms_of(daemon, ada):
            answer = await ada.http.post(
                f"/review{path}",
                content=urlencode({**fields, "token": ada.token}),
                headers={"Content-Type": "application/x-www-form-urlencoded", **headers},
            )
            assert answer.status_code == 403

    assert await facts_of(daemon.memory, ada.viewer) == ["I like tea in the morning"]


@table("headers", [{}, {"Sec-Fetch-Site": "same-origin", "Origin": "null"}])
async def test_browsers_that_say_less_are_taken_by_their_token(daemon: Daemon, headers: dict[str, str]) -> None:
    async with await enter(daemon, await met(daemon)) as ada:
        path, fields = (await forms_of(daemon, ada))[0]
        answer = await ada.http.post(
            f"/review{path}",
            content=urlencode({**fields, "token": ada.token}),
            headers={"Content-Type": "application/x-www-form-urlencoded", **headers},
        )

    assert answer.status_code == 200
    assert "You sing in a choir" in await facts_of(daemon.memory, ada.viewer)


async def test_a_page_is_never_changed_by_looking_at_it(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        forms = await forms_of(daemon, ada)
        answers = [await ada.get(path, **fields, token=ada.token) for path, fields in forms]

    assert {answer.status_code for answer in answers} <= {404, 405}
    assert await facts_of(daemon.memory, ada.viewer) == ["I like tea in the morning"]


async def test_a_flash_message_is_shown_only_with_the_signature_of_its_session(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = await kept(daemon.memory, viewer, "I like tea in the morning", Category.PREFERENCE)
    async with await enter(daemon, viewer) as ada, await enter(daemon, viewer) as at_home:
        answer = await ada.post(f"/memory/{fact.row.id}/delete", {"version": "1"})
        flash = answer.url.params["flash"]
        again = await ada.get("/memory", flash=flash)
        elsewhere = await at_home.get("/memory", flash=flash)
        changed = await ada.get("/memory", flash=flash.replace("forgotten", "restored"))

    assert "Deleted: I like tea" in shown(answer.text)
    assert "Deleted: I like tea" in shown(again.text)
    assert "Deleted: I like" not in shown(elsewhere.text)
    assert 'class="flash' not in changed.text
    assert "like" not in flash
    assert "tea" not in flash


async def test_when_the_database_is_away_a_page_says_so(
    server: EmbeddedServer, clone: Callable[[], str], tenant: str, tmp_path: Path
) -> None:
    name = clone()
    async with running(server.url(APPLICATION, name), tenant, tmp_path) as daemon:
        ada = await enter(daemon, await met(daemon, "7"))
        with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
            until(lambda: is_done(admin, f'DROP DATABASE "{name}" WITH (FORCE)'))
        async with ada:
            answers = [await ada.get(), await ada.post("/cards", [("do", "accept")])]

    for answer in answers:
        assert answer.status_code == 503
        assert "I can't reach my memory right now" in shown(answer.text)
        assert answer.headers["retry-after"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_fault_of_ours_is_a_page_that_tells_nothing_of_it(served: Daemon) -> None:
    """The application over a house without a memory: whatever it tries breaks."""
    broken = make_app(replace(served.runtime, memory=None))  # type: ignore[arg-type]
    transport = httpx.ASGITransport(broken, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=served.url, timeout=STUCK) as somebody:
        answer = await somebody.get("/review", headers={"Cookie": f"keepsake=x.{'A' * 43}"})

    assert answer.status_code == 500
    assert "Something went wrong on my side" in shown(answer.text)
    assert "NoneType" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_the_address_with_a_slash_at_its_end_is_the_same_page(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        answer = await ada.http.get("/review/", follow_redirects=False)

    assert answer.status_code == 200


async def test_static_files_may_be_kept_by_their_mark_and_nothing_else_is_served(daemon: Daemon) -> None:
    async with stranger(daemon) as somebody:
        page = (await somebody.get("/review/open/x")).text
        style = page.split('rel="stylesheet" href="')[1].split('"')[0]
        marked = await somebody.get(style)
        unmarked = await somebody.get("/review/static/review.js")
        others = [
            await somebody.get(f"/review/static/{name}")
            for name in ("none.css", "..%2Ftexts.py", "%2e%2e%2fpages.py", "..%5Cpages.py", "")
        ]

    assert (marked.status_code, marked.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in marked.headers["cache-control"]
    assert unmarked.headers["cache-control"] == "no-cache"
    assert {answer.status_code for answer in others} == {404}
