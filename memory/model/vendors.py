"""Chooses the model vendor by the settings.

To add a vendor, write a module or folder beside `memory/model/claude/`, a setting for its key, and an entry in
`VENDORS`. It implements two protocols:

- `Brain` (`memory/model/brain.py`) streams an answer in chat: `AnswerStarted` for every attempt that costs, text, tool
  calls, and one `Finished`, whose reasons `max_tokens` and `refusal` have notices of their own. Usage is counted under
  Claude's names, which prices and metrics read: `input_tokens`, `output_tokens`, `cache_read_input_tokens` and
  `cache_creation_input_tokens`.
- `StructuredLLM` (`memory/model/structured.py`) fills in a form in the background, and adds a `CallUsage` for every
  attempt.

Both finish within `settings.model_seconds`, all attempts included, and raise `ModelAway` with a text for the user.
"""

from collections.abc import Callable
from dataclasses import dataclass

from memory.model.brain import Brain
from memory.model.claude.brain import claude
from memory.model.claude.client import MODEL
from memory.model.claude.structured import claude_structured
from memory.model.offline import OfflineBrain
from memory.model.offline_phrases import OfflineLocale
from memory.model.structured import StructuredLLM
from memory.settings import Settings


@dataclass(frozen=True, slots=True)
class Vendor:
    name: str
    key_variable: str
    """The environment variable that selects the vendor."""
    is_set: Callable[[Settings], bool]
    address: Callable[[Settings], str | None]
    """None for the vendor's own server."""
    model: str
    """The default of KEEPSAKE_MODEL."""
    brain: Callable[[Settings], Brain]
    structured: Callable[[Settings], StructuredLLM]


# The first vendor with a key is used. If no key is set, the first vendor is recommended.
VENDORS = (
    Vendor(
        name="Claude",
        key_variable="ANTHROPIC_API_KEY",
        is_set=lambda settings: bool(settings.anthropic_api_key),
        address=lambda settings: settings.anthropic_base_url,
        model=MODEL,
        brain=claude,
        structured=claude_structured,
    ),
)


def brain_from(settings: Settings, locale: OfflineLocale) -> Brain:
    """Return the vendor's brain, or the offline brain if no key is set."""
    vendor = vendor_from(settings)
    return OfflineBrain(locale) if vendor is None else vendor.brain(settings)


def structured_llm_from(settings: Settings) -> StructuredLLM | None:
    vendor = vendor_from(settings)
    return None if vendor is None else vendor.structured(settings)


def has_model(settings: Settings) -> bool:
    return vendor_from(settings) is not None


def vendor_from(settings: Settings) -> Vendor | None:
    return next((vendor for vendor in VENDORS if vendor.is_set(settings)), None)
