"""Which model answers is chosen by the settings, and a further vendor is one line beside Claude's."""

from collections.abc import AsyncGenerator

import pytest

from bot.language import OFFLINE_LOCALE
from memory.model.brain import Delta, Finished, Request, TextDelta
from memory.model.claude.brain import ClaudeBrain
from memory.model.claude.structured import ClaudeStructuredLLM
from memory.model.offline import OfflineBrain
from memory.model.structured import StructuredResult, T
from memory.model.vendors import VENDORS, Vendor, brain_from, has_model, structured_llm_from, vendor_from
from memory.settings import Settings

KEYLESS = Settings.model_validate({"KEEPSAKE_TENANT": "t"})
WITH_KEY = Settings.model_validate({"KEEPSAKE_TENANT": "t", "ANTHROPIC_API_KEY": "k"})


def test_without_a_key_the_offline_brain_answers_and_nothing_is_written_in_the_background() -> None:
    assert isinstance(brain_from(KEYLESS, OFFLINE_LOCALE), OfflineBrain)
    assert structured_llm_from(KEYLESS) is None
    assert not has_model(KEYLESS)
    assert vendor_from(KEYLESS) is None


async def test_with_a_key_claude_does_both_each_with_its_own_model() -> None:
    brain, llm = brain_from(WITH_KEY, OFFLINE_LOCALE), structured_llm_from(WITH_KEY)

    assert isinstance(brain, ClaudeBrain)
    assert isinstance(llm, ClaudeStructuredLLM)
    assert (brain.name, llm.name) == ("claude-sonnet-5-5", "claude-haiku-5-5")
    assert brain.name == VENDORS[0].model
    assert has_model(WITH_KEY)
    await brain.close()
    await llm.close()


class Parrot:
    """A vendor that no network is needed for."""

    name = "parrot"

    def __init__(self, settings: Settings) -> None:
        self.tenant = settings.tenant

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        yield TextDelta(request.instructions)
        yield Finished("end_turn")

    async def write(self, instructions: str, text: str, form: type[T], written: StructuredResult[T]) -> T:
        written.answer = form.model_validate_json(text)
        return written.answer

    async def close(self) -> None: ...


PARROTS = Vendor(
    name="Polly",
    key_variable="POLLY_API_KEY",
    is_set=lambda _: True,
    address=lambda settings: settings.home_url,
    model="parrot",
    brain=Parrot,
    structured=Parrot,
)


async def test_a_further_vendor_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.model.vendors.VENDORS", (*VENDORS, PARROTS))
    brain, llm = brain_from(KEYLESS, OFFLINE_LOCALE), structured_llm_from(KEYLESS)

    assert isinstance(llm, Parrot)
    said = [delta async for delta in brain.answer(Request("Hello", "", ()))]
    assert said == [TextDelta("Hello"), Finished("end_turn")]
    assert has_model(KEYLESS)
    assert vendor_from(KEYLESS) is PARROTS
    assert vendor_from(WITH_KEY) is VENDORS[0]


def test_a_vendor_is_set_by_the_variable_that_it_names() -> None:
    for vendor in VENDORS:
        assert vendor.is_set(Settings.model_validate({vendor.key_variable: "k"}))
        assert not vendor.is_set(KEYLESS)
