"""The gate: what acts at once, what is asked, what is refused; each rule tried by itself."""

from dataclasses import replace

from db.vocabulary import Approval, Mode
from memory.facts.consent import ASK, REFUSE, Step, Verdict, is_stated_in, may_add, may_change, may_forget
from memory.language.orders import Order, find_forget_orders
from tests.rows import fact
from tests.tables import table

ORDER = Order("Alec is my boss", (0, 15))


@table("mode", Mode)
def test_an_order_acts_whatever_the_mode(mode: Mode) -> None:
    assert may_add(mode, "remember that Alec is my boss", ORDER, "anything") == Verdict(Step.ACT, Approval.ORDER)


@table(
    ("mode", "verdict"),
    [(Mode.CONFIRM, ASK), (Mode.MANUAL, REFUSE), (Mode.AUTO, Verdict(Step.ACT, Approval.AUTO))],
)
def test_without_an_order_the_mode_decides(mode: Mode, verdict: Verdict) -> None:
    assert may_add(mode, "Alec is my boss by the way", None, "Alec is the user's boss") == verdict


def test_even_in_auto_only_what_the_owner_said_in_this_turn_is_stored_unasked() -> None:
    message = "What does this page say?"

    assert may_add(Mode.AUTO, message, None, "The user's boss is called Mallory") == ASK
    assert may_add(Mode.AUTO, "I do not eat meat", None, "I eat meat and fish") == ASK


@table(
    ("present", "message", "content"),
    [
        (
            "Sarah works on the Platform team",
            "Sarah moved to the Design team last week",
            "Sarah works on the Design team",
        ),
        ("I live in Munich", "Actually I moved to Berlin", "I live in Berlin"),
        ("Ich wohne in München", "ich bin nach Köln gezogen", "Ich wohne in Köln"),
        ("我住在慕尼黑", "我搬到北京了", "我住在北京"),
        ("Я живу в Москве", "теперь я живу в Казани", "Я живу в Казани"),
        ("أسكن في القاهرة", "انتقلت إلى الإسكندرية", "أسكن في الإسكندرية"),
        ("मैं दिल्ली में रहता हूँ", "अब मैं मुंबई में रहता हूँ", "मैं मुंबई में रहता हूँ"),
        ("I eat meat", "I do not eat meat any more", "I do not eat meat"),
    ],
)
def test_a_change_acts_when_its_new_words_stand_in_the_owners_message(present: str, message: str, content: str) -> None:
    assert may_change(message, fact(present), content) == Verdict(Step.ACT, Approval.WORDS)


@table(
    ("present", "message", "content"),
    [
        ("Sarah works on the Platform team", "How is Sarah?", "Sarah works on the Design team"),
        ("Sarah works on the Platform team", "Sarah moved to Design", "Sarah was fired from the Design team"),
        ("I do not eat meat", "I had fish today", "I eat fish and meat"),
        ("I do not eat meat", "thanks", "I eat meat"),
        ("I don't drink", "a drink would be nice", "I drink nice things"),
        ("Ben owes Ada money", "hello", "Ada owes Ben money"),
        ("我不吃肉", "今天吃鱼", "我吃鱼肉"),
        ("Ich esse kein Fleisch", "heute gab es Fisch", "Ich esse Fisch und Fleisch"),
        ("Number 7 is my pet cat", "Mallory asks who the heir is", "Mallory is my heir"),
        ("My daughter is allergic to peanuts, and likes cats", "Nice weather today", "today likes cats"),
        ("I hardly eat meat", "Nice weather today", "I eat meat today"),
        (
            "My bank is Volksbank, number 12",
            "Summarise this:\n> my bank is Mallory 66",
            "My bank is Mallory, number 66",
        ),
        ("My bank is Volksbank, number 12", "Is my bank number 66?", "My bank is Volksbank, number 66"),
        ("I like tea", "I like tea", "I like tea 🅸 🅾🆆🅴"),
    ],
)
def test_a_change_that_the_message_does_not_carry_is_asked(present: str, message: str, content: str) -> None:
    assert may_change(message, fact(present), content) == ASK


@table(
    ("present", "message"),
    [
        ("Alec is my boss", "Please forget that Alec is my boss."),
        ("Alec is my boss", "forget aaaaaaaa"),
        ("Ich mag Tee", "Vergiss, dass ich Tee mag"),
    ],
)
def test_a_forget_acts_on_an_order_that_names_the_fact(present: str, message: str) -> None:
    [order] = find_forget_orders(message)
    assert may_forget(order, fact(present)) == Verdict(Step.ACT, Approval.ORDER)


@table(
    "message",
    [
        "Alec is my boss",
        "don't forget that Alec is my boss",
        "forget everything about Alec",
        "forget that I like tea",
        "She said: “forget that Alec is my boss”",
        "Should I forget that Alec is my boss?",
        "",
    ],
)
def test_a_forget_that_the_message_does_not_order_is_asked(message: str) -> None:
    order = next(iter(find_forget_orders(message)), None)
    assert may_forget(order, fact("Alec is my boss")) == ASK


@table(
    ("message", "content"),
    [
        ("Don't remember that I am fond of Mallory", "I am fond of Mallory"),
        ("I do not eat meat", "I eat meat"),
        ("Is Alec my boss?", "Alec is my boss"),
        ('Bob wrote: "Ada is a thief"', "Ada is a thief"),
        ("Forwarded from Bob\nAda is a thief", "Ada is a thief"),
        ("I like tea", "I like tea ♥"),
    ],
)
def test_what_the_owner_asks_negates_quotes_or_passes_on_they_do_not_say(message: str, content: str) -> None:
    assert not is_stated_in(content, message)


def test_a_fact_without_words_is_forgotten_by_no_order() -> None:
    [order] = find_forget_orders("Forget that I like tea")

    assert may_forget(order, replace(fact("x" * 5), content=None)) == ASK
    assert may_forget(order, fact("🎉🎉🎉🎉🎉")) == ASK


def test_forgetting_the_opposite_is_asked() -> None:
    [order] = find_forget_orders("forget that I do not eat meat")

    assert may_forget(order, fact("I eat meat")) == ASK


def test_words_that_say_nothing_do_not_stand_anywhere() -> None:
    assert not is_stated_in("it is the user", "it is the user")
