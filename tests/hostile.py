"""For each function that reads whatever people write: the texts that cost it most, of all that were thought of.

They were found by counting the steps of all of them. One that costs another function more belongs here as well.
"""

from datetime import UTC, datetime

from api.review.display.diff import diff
from db.queries.privacy.erasure import TombstoneRow
from db.vocabulary import Sensitivity
from memory.facts.topics import without_secrets
from memory.language import precheck, topics
from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.orders import find_forget_orders, find_orders
from memory.language.precheck import may_hold_fact
from memory.language.sentences import MAX_READ
from memory.language.spans import blank_out, source_span
from memory.language.terms import index_terms
from memory.language.time.dates import annotate_dates
from memory.language.transient import MAX_STATEMENT_LENGTH, is_transient
from memory.language.yes_and_no import (
    MAX_OFFER_LENGTH,
    MAX_REFUSAL_LENGTH,
    MAX_YES_LENGTH,
    is_plain_yes,
    offers_to_remember,
    questions_in,
    starts_with_no,
)
from memory.model.tokens import estimate
from memory.privacy.classify import classify
from memory.privacy.forgetting.repeats import find_repeats, needles
from memory.privacy.forgetting.tombstones import hash_words, without_forgotten
from memory.privacy.redaction import redact
from memory.retrieval.chunks import split_text
from tests.rows import fact
from tests.steps.reading import MANY_WORDS, Reading

SAID_AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
BOSS = "Alec is my boss"
STONES = [TombstoneRow(None, None, b"1" * 16, hash_words(b"1" * 16, "My boss is called Alec"))]


def topics_in(text: str) -> None:
    topics.topics_in([without_secrets(text)])


def read_as_source(text: str) -> None:
    unsupported_claims("The user met Bob on 2026-11-27 with 3 friends.", [DriftSource(text, SAID_AT)])


def write_dates_out(text: str) -> None:
    annotate_dates(text, SAID_AT)


def look_for_repeats(text: str) -> None:
    find_repeats(text, fact(BOSS), said_by_human=False)
    source_span(text, "Alec has a boss")
    needles(text)


def blank_many_places(text: str) -> None:
    blank_out(text, [(at, at + 4) for at in range(0, len(text), 16)])


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
    Reading(find_orders, "> a\n", cap=MAX_READ),
    Reading(find_forget_orders, "记住我喜欢茶。", opening="forget that "),
    Reading(topics_in, "Abc ", cap=topics.MAX_READ),
    Reading(topics_in, "guitar amp "),
    Reading(estimate, "\ufdfa"),
    Reading(estimate, " a"),
    Reading(estimate, "The kettle is on, and the guests are late. "),
    Reading(is_plain_yes, "yes ", cap=MAX_YES_LENGTH),
    Reading(starts_with_no, "no ", cap=MAX_REFUSAL_LENGTH),
    Reading(offers_to_remember, "soll ich mir ", end="?", cap=MAX_OFFER_LENGTH),
    Reading(questions_in, "? "),
    Reading(read_as_source, "Ab 1 "),
    Reading(read_as_source, "'", cap=MAX_READ),
    Reading(read_to_the_end, "a\n"),
    Reading(read_to_the_end, "passport 1 ", short=1_500),
    Reading(may_hold_fact, "I see. "),
    Reading(may_hold_fact, "i a, b? "),
    Reading(may_hold_fact, ". ", cap=precheck.MAX_READ),
    Reading(write_dates_out, "1 "),
    Reading(write_dates_out, "a-", cap=MAX_READ),
    Reading(is_transient, "i'm so ", cap=MAX_STATEMENT_LENGTH),
    Reading(look_for_repeats, "老板。"),
    Reading(look_for_repeats, MIXED),
    Reading(blank_many_places, f"{BOSS} "),
    Reading(split_text, "他住在北京。", short=2_000),
    Reading(split_text, "wide words ", short=2_000),
    Reading(look_for_forgotten, "a, ", short=2_000),
    Reading(compare_with_swapped, "ab "),
    Reading(compare_with_swapped, "🙂🙃"),
    Reading(compare_with_swapped, "我喜欢"),
    Reading(compare_with_swapped, "a b"),
]
