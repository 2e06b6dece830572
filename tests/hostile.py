"""For each function that reads whatever people write: the texts that cost it most, of all that were thought of.

They were found by counting the steps of all of them. One that costs another function more belongs here as well.
"""

from datetime import UTC, datetime

from api.review.display.diff import diff
from db.queries.privacy.erasure import TombstoneRow
from db.vocabulary import Sensitivity
from memory.facts.topics import without_secrets
from memory.language import precheck, topics
from memory.language.claims.drift import DriftSource, unfounded
from memory.language.orders import find_forget_orders, find_orders
from memory.language.precheck import tells
from memory.language.sentences import LONGEST_READ
from memory.language.spans import blanked, source_span
from memory.language.terms import index_terms
from memory.language.time.dates import with_dates
from memory.language.transient import LONGEST_STATEMENT, passes
from memory.language.yes_and_no import (
    LONGEST_OFFER,
    LONGEST_REFUSAL,
    LONGEST_YES,
    offers_to_remember,
    plain_yes,
    questions_in,
    starts_with_no,
)
from memory.model.tokens import estimate
from memory.privacy.classify import classify
from memory.privacy.forgetting.repeats import needles, places
from memory.privacy.forgetting.tombstones import hashed, without_forgotten
from memory.privacy.redaction import redact
from memory.retrieval.chunks import cut
from tests.rows import fact
from tests.steps.reading import MANY_WORDS, Reading

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
BOSS = "Alec is my boss"
STONES = [TombstoneRow(None, None, b"1" * 16, hashed(b"1" * 16, "My boss is called Alec"))]


def topics_in(text: str) -> None:
    topics.topics_in([without_secrets(text)])


def read_as_source(text: str) -> None:
    unfounded("The user met Bob on 2026-11-27 with 3 friends.", [DriftSource(text, SAID_AT)])


def write_dates_out(text: str) -> None:
    with_dates(text, SAID_AT)


def look_for_repeats(text: str) -> None:
    places(text, fact(BOSS), said_by_human=False)
    source_span(text, "Alec has a boss")
    needles(text)


def blank_many_places(text: str) -> None:
    blanked(text, [(at, at + 4) for at in range(0, len(text), 16)])


def look_for_forgotten(text: str) -> None:
    without_forgotten(text, STONES)


def compare_with_swapped(text: str) -> None:
    diff(text, text.translate(str.maketrans("ab🙂🙃我喜", "ba🙃🙂喜我")))


def read_to_the_end(text: str) -> None:
    assert classify(text) is not Sensitivity.HIGH, "or it stops at the first sentence"


HARMLESS = "a few words about a garden and its roses "
MIXED = f"aa  .a.Alec Alec is my {BOSS}. 老老板。a\u0301\u0301👩🏽"
READINGS = [
    Reading(redact, HARMLESS),
    Reading(redact, "sk-"),
    Reading(redact, "password "),
    Reading(redact, "password`is`"),
    Reading(redact, "-----BEGIN "),
    Reading(index_terms, MANY_WORDS),
    Reading(index_terms, "e\u0301\u0301"),
    Reading(index_terms, "上海"),
    Reading(find_orders, "记住我喜欢茶。"),
    Reading(find_orders, "ﷺ", opening="merk dir "),
    Reading(find_orders, "remember that a is b.\n", opening="remember that "),
    Reading(find_orders, "> a\n", cap=LONGEST_READ),
    Reading(find_forget_orders, "记住我喜欢茶。", opening="forget that "),
    Reading(topics_in, "Abc ", cap=topics.LONGEST_READ),
    Reading(topics_in, "guitar amp "),
    Reading(estimate, "\ufdfa"),
    Reading(estimate, " a"),
    Reading(estimate, "The kettle is on, and the guests are late. "),
    Reading(plain_yes, "yes ", cap=LONGEST_YES),
    Reading(starts_with_no, "no ", cap=LONGEST_REFUSAL),
    Reading(offers_to_remember, "soll ich mir ", end="?", cap=LONGEST_OFFER),
    Reading(questions_in, "? "),
    Reading(read_as_source, "Ab 1 "),
    Reading(read_as_source, "'", cap=LONGEST_READ),
    Reading(read_to_the_end, "a\n"),
    Reading(read_to_the_end, "passport 1 ", short=1_500),
    Reading(tells, "I see. "),
    Reading(tells, "i a, b? "),
    Reading(tells, ". ", cap=precheck.LONGEST_READ),
    Reading(write_dates_out, "1 "),
    Reading(write_dates_out, "a-", cap=LONGEST_READ),
    Reading(passes, "i'm so ", cap=LONGEST_STATEMENT),
    Reading(look_for_repeats, "老板。"),
    Reading(look_for_repeats, MIXED),
    Reading(blank_many_places, f"{BOSS} "),
    Reading(cut, "他住在北京。", short=2_000),
    Reading(cut, "wide words ", short=2_000),
    Reading(look_for_forgotten, "a, ", short=2_000),
    Reading(compare_with_swapped, "ab "),
    Reading(compare_with_swapped, "🙂🙃"),
    Reading(compare_with_swapped, "我喜欢"),
    Reading(compare_with_swapped, "a b"),
]
