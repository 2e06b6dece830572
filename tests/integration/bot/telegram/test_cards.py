"""Cards under a reply: answered by buttons, by one's own words or by a plain yes, and by nothing else."""

import pytest

from bot import texts
from db.vocabulary import Approval, ProposalKind
from memory.translation import available_languages
from tests.integration.bot.telegram.conftest import Bot, of
from tests.scripted_model import Calls, Says
from tests.telegram import Person, Sent

pytestmark = pytest.mark.asyncio(loop_scope="module")

REMEMBER, FORGET = texts.CARD_YES[ProposalKind.ADD], texts.CARD_YES[ProposalKind.FORGET]
TEA, DOG = "Drinks green tea in the morning", "Has a dog called Rex"


def proposing(*facts: str, saying: str = "Noted.") -> list[Calls | Says]:
    """A model that would like to remember things that nobody ordered it to."""
    return [*(Calls("add_to_memory", {"content": fact, "category": "other"}) for fact in facts), Says((saying,))]


async def asked(bot: Bot, person: Person, *facts: str, saying: str = "Noted.") -> Sent:
    """The card, or the cards, under a reply."""
    bot.script[:] = proposing(*facts, saying=saying)
    *_, card = await bot.ask(person, "we talked about this and that")
    return card


def data_of(message: Sent, label: str) -> str:
    return next(data for row in message.buttons for name, data in row if name == label)


async def test_one_card_stands_under_its_reply_with_three_answers(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)

    assert [each.text for each in ada.answers()][-2] == "Noted."
    assert card.text.startswith("▸ Should I remember this? [")
    assert card.text.endswith(TEA)
    assert card.labels == [REMEMBER, texts.BUTTON_EDIT, texts.BUTTON_NO]
    assert scripted.facts(ada) == []


async def test_remember_stores_what_was_shown_and_says_so_in_the_place_of_the_card(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    await scripted.tap(ada, card, REMEMBER)

    assert scripted.facts(ada) == [TEA]
    assert scripted.now(card).text.startswith("✓ Remembered [")
    assert scripted.now(card).labels == [texts.BUTTON_UNDO]
    await scripted.tap(ada, card, texts.BUTTON_UNDO)
    assert scripted.facts(ada) == []


async def test_no_stores_nothing_and_asks_no_more(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    await scripted.tap(ada, card, texts.BUTTON_NO)

    assert (scripted.now(card).text, scripted.now(card).labels) == (texts.CARD_REJECTED[ProposalKind.ADD], [])
    assert scripted.facts(ada) == []
    again = await asked(scripted, ada, TEA)
    assert again.buttons == []


async def test_edit_stores_the_persons_own_words(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    await scripted.tap(ada, card, texts.BUTTON_EDIT)
    question = ada.answers()[-1]
    await scripted.ask(ada, "Drinks black tea at night", reply_to=question)

    assert question.text.startswith("✎ ")
    assert scripted.facts(ada) == ["Drinks black tea at night"]
    assert scripted.versions(ada)[0]["author"] == of(ada)
    assert await scripted.tap(ada, card, REMEMBER) == texts.BUTTON_OLD
    [late] = await scripted.ask(ada, "Drinks only milk", reply_to=question)
    assert "That question is no longer open" in late.text
    assert scripted.facts(ada) == ["Drinks black tea at night"]


async def test_a_bare_file_in_answer_to_the_question_accepts_nothing(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    await scripted.tap(ada, card, texts.BUTTON_EDIT)
    await scripted.ask(ada, ada.send_document("a.txt", b"some words", reply_to=ada.answers()[-1]))

    assert scripted.facts(ada) == []


async def test_several_are_one_card_with_numbers_and_all(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA, DOG)

    assert card.text.splitlines()[0].startswith("1. ▸")
    assert card.text.splitlines()[1].startswith("2. ▸")
    assert card.labels == [
        *(f"{label} {n}" for n in (1, 2) for label in (REMEMBER, texts.BUTTON_EDIT, texts.BUTTON_NO)),
        texts.BUTTON_ALL,
    ]
    await scripted.tap(ada, card, texts.BUTTON_ALL)
    assert scripted.facts(ada) == [TEA, DOG]
    assert scripted.now(card).text.count("✓ Remembered [") == 2


async def test_answering_one_leaves_the_others_to_be_answered(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA, DOG)
    before = data_of(card, texts.BUTTON_ALL)
    await scripted.tap(ada, card, f"{texts.BUTTON_NO} 1")

    assert scripted.now(card).text.endswith(DOG)
    assert scripted.now(card).labels == [REMEMBER, texts.BUTTON_EDIT, texts.BUTTON_NO]
    assert await scripted.tap(ada, card, data=before) == texts.BUTTON_OLD
    assert scripted.facts(ada) == []
    await scripted.tap(ada, card, REMEMBER)
    assert scripted.facts(ada) == [DOG]


async def test_all_is_refused_when_something_changed_since(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA, DOG)
    tea = card.text.partition("[")[2][:8]
    await scripted.ask(ada, f"/memory reject {tea}")

    assert await scripted.tap(ada, card, texts.BUTTON_ALL) == texts.BUTTON_OLD
    assert scripted.facts(ada) == []


async def test_cards_under_memory_stay_when_one_of_them_is_answered(scripted: Bot, ada: Person) -> None:
    await asked(scripted, ada, TEA)
    await asked(scripted, ada, DOG)
    _, card = await scripted.ask(ada, "/memory")
    await scripted.tap(ada, card, f"{REMEMBER} 1")

    assert scripted.facts(ada) == [TEA]
    assert scripted.now(card).text.endswith(DOG)
    await scripted.tap(ada, card, REMEMBER)
    assert scripted.facts(ada) == [TEA, DOG]


async def test_a_card_is_accepted_once(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    data = data_of(card, REMEMBER)
    first, second = ada.tap(card, data=data), ada.tap(card, data=data)
    await scripted.done(first)
    await scripted.done(second)

    shown = scripted.telegram.answer_to(second)
    assert shown is not None
    assert shown["text"] == texts.BUTTON_OLD
    assert len(scripted.versions(ada)) == 1


async def test_forged_data_accepts_nothing(scripted: Bot, ada: Person) -> None:
    ben = scripted.person("Ben")
    card = await asked(scripted, ada, TEA, DOG)
    tea, dog = data_of(card, f"{REMEMBER} 1"), data_of(card, f"{REMEMBER} 2")
    verb, owner, subject, hash, group = tea.split("|")
    forged = (
        f"{verb}|{owner}|{dog.split('|')[2]}|{hash}|{group}",  # the hash of another card
        f"{verb}|{owner}|{subject}||{group}",
        f"{verb}|{owner}|{subject}|{'0' * 12}|{group}",
        f"{verb}|{owner}|{subject[:-1]}{'y' if subject.endswith('x') else 'x'}|{hash}|{group}",
        f"{verb}|{owner}|{subject}|{hash}",
    )
    for data in forged:
        assert await scripted.tap(ada, card, data=data) == texts.BUTTON_OLD
    own = (await scripted.ask(ben, "/memory"))[0]
    assert await scripted.tap(ben, own, data=tea) == texts.BUTTON_NOT_YOURS
    assert await scripted.tap(ben, own, data=f"{verb}|{ben.id}|{subject}|{hash}|{group}") == texts.BUTTON_OLD
    assert (scripted.facts(ada), scripted.facts(ben)) == ([], [])


async def test_an_expired_card_is_out_of_date(scripted: Bot, ada: Person) -> None:
    card = await asked(scripted, ada, TEA)
    scripted.rows(
        "UPDATE proposals SET expires_at = now() - interval '1 second' WHERE {mine} AND user_id = %(u)s RETURNING id",
        u=of(ada),
    )

    for label in (REMEMBER, texts.BUTTON_EDIT, texts.BUTTON_NO):
        assert await scripted.tap(ada, card, label) == texts.BUTTON_OLD
    assert scripted.facts(ada) == []


async def test_a_card_that_would_forget_offers_no_remember(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Calls("add_to_memory", {"content": "I like tea a lot", "category": "other"}), Says(("Ok.",))]
    await scripted.ask(ada, "remember that I like tea a lot")
    [fact] = scripted.of(ada, "facts")
    scripted.script[:] = [Calls("forget_memory", {"memory_id": fact["id"]}), Says(("Shall I?",))]
    *_, card = await scripted.ask(ada, "what a day")

    assert card.labels == [FORGET, texts.BUTTON_NO]
    card_id = card.text.partition("[")[2][:8]
    await scripted.ask(ada, f"/memory accept {card_id} I like tea even more")
    assert scripted.facts(ada) == ["I like tea a lot"]
    await scripted.tap(ada, card, FORGET)
    assert scripted.facts(ada) == []


YES = {
    "en": "Yes, please.",
    "es": "sí",
    "de": "ja gerne",
    "fr": "oui",
    "pt": "sim",
    "ru": "да",
    "ar": "نعم",
    "hi": "हाँ",
    "zh": "好的",
}
NO = {
    "en": "No",
    "es": "no",
    "de": "Nein",
    "fr": "non merci",
    "pt": "não",
    "ru": "нет",
    "ar": "لا",
    "hi": "नहीं",
    "zh": "不",
}


@pytest.mark.slow
async def test_a_plain_yes_in_nine_languages_accepts_the_one_card(scripted: Bot) -> None:
    assert YES.keys() == {*available_languages()}
    for language, words in YES.items():
        person = scripted.person("Ada", language=language)
        await asked(scripted, person, TEA)
        [told] = await scripted.ask(person, words)

        assert scripted.facts(person) == [TEA], language
        assert told.text.startswith("✓"), language
        assert scripted.versions(person)[0]["approval"] == Approval.YES


@pytest.mark.slow
async def test_a_plain_no_in_nine_languages_puts_the_one_card_aside(scripted: Bot) -> None:
    assert NO.keys() == {*available_languages()}
    for language, words in NO.items():
        person = scripted.person("Ada", language=language)
        card = await asked(scripted, person, TEA)
        await scripted.ask(person, words)

        assert scripted.facts(person) == [], language
        assert [row["status"] for row in scripted.of(person, "proposals")] == ["rejected"], language
        assert await scripted.tap(person, card, data=data_of(card, card.labels[0]))


async def test_a_yes_means_no_card_when_there_are_two(scripted: Bot, ada: Person) -> None:
    await asked(scripted, ada, TEA, DOG)
    await scripted.ask(ada, "yes")

    assert scripted.facts(ada) == []


async def test_a_yes_means_no_card_when_the_reply_asks_something_else(scripted: Bot, ada: Person) -> None:
    await asked(scripted, ada, TEA, saying="Noted. Do you want to hear a joke?")
    await scripted.ask(ada, "yes")

    assert scripted.facts(ada) == []


async def test_a_yes_means_no_card_of_an_earlier_reply(scripted: Bot, ada: Person) -> None:
    await asked(scripted, ada, TEA)
    await scripted.ask(ada, "what else?")
    await scripted.ask(ada, "yes")

    assert scripted.facts(ada) == []


async def test_a_yes_that_was_written_before_the_card_came_means_nothing(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [*proposing(TEA), Says(("Yes what?",))]
    first = ada.say("we talked about this and that")
    second = ada.say("yes")
    await scripted.done(first)
    await scripted.done(second)

    assert ada.answers()[-1].text == "Yes what?"
    assert scripted.facts(ada) == []


async def test_what_is_no_plain_yes_accepts_nothing(scripted: Bot) -> None:
    kept = {}
    for words in ("yes, but not now", "yes?", "“yes”, he said", "I guess so maybe"):
        person = scripted.person()
        await asked(scripted, person, TEA)
        await scripted.ask(person, words)
        kept[words] = scripted.facts(person)

    assert {words: found for words, found in kept.items() if found} == {}


async def test_a_forwarded_yes_is_nobodys_yes(scripted: Bot, ada: Person) -> None:
    await asked(scripted, ada, TEA)
    await scripted.ask(ada, ada.forward("yes"))

    assert scripted.facts(ada) == []


async def test_a_message_edited_into_a_yes_accepts_nothing(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = proposing(TEA)
    said = ada.say("we talked about this and that")
    await scripted.done(said)
    await scripted.done(ada.edit(said, "yes"))

    assert scripted.facts(ada) == []


async def test_a_model_cannot_write_a_card_or_a_receipt_of_its_own(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Says(("✓ Remembered [aaaaaaaa]: all\n▸ Shall I?\n✎ How should it read [aaaaaaaa]?",))]
    [told] = await scripted.ask(ada, "hello")

    assert not {"✓", "▸", "✎"} & set(told.text)
    await scripted.ask(ada, "my own words", reply_to=told)
    assert scripted.facts(ada) == []
