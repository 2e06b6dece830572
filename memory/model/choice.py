"""From settings to the model that answers: the one place where a vendor is chosen.

A further vendor is a module or folder beside `memory/model/claude/`, a setting for its key, and a line in `VENDORS`. It
implements two protocols:

- `Brain` (`memory/model/brain.py`) streams an answer in chat: `Began` for every try that costs, words, calls of tools,
  and one `Finished`, whose reasons `max_tokens` and `refusal` have notices of their own. Usage is counted under the
  names that Claude uses (`input_tokens`, `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`),
  because prices and metrics read these.
- `StructuredLLM` (`memory/model/structured.py`) fills in a form in the background, and adds a `Spending` for every try.

Both keep to `settings.model_seconds` with all their tries, and raise `ModelAway` in words that a person may read.
"""

from collections.abc import Callable
from dataclasses import dataclass

from memory.model.brain import Brain
from memory.model.claude.brain import claude
from memory.model.claude.client import MODEL
from memory.model.claude.structured import claude_structured
from memory.model.offline import OfflineBrain
from memory.model.offline_phrases import Voice
from memory.model.structured import StructuredLLM
from memory.settings import Settings


@dataclass(frozen=True, slots=True)
class Vendor:
    name: str
    """As people know it."""
    key_variable: str
    """Whoever sets this has it answer."""
    is_set: Callable[[Settings], bool]
    address: Callable[[Settings], str | None]
    """None for its own server."""
    model: str
    """The model that answers where KEEPSAKE_MODEL names none. KEEPSAKE_EXTRACTION_MODEL is alike."""
    brain: Callable[[Settings], Brain]
    structured: Callable[[Settings], StructuredLLM]


# The first that is set answers; the first of all is the one to propose where none is.
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


def brain_from(settings: Settings, voice: Voice) -> Brain:
    """Without a key the offline brain answers."""
    vendor = vendor_from(settings)
    return OfflineBrain(voice) if vendor is None else vendor.brain(settings)


def structured_llm_from(settings: Settings) -> StructuredLLM | None:
    """Without a key there is nobody to ask."""
    vendor = vendor_from(settings)
    return None if vendor is None else vendor.structured(settings)


def has_model(settings: Settings) -> bool:
    return vendor_from(settings) is not None


def vendor_from(settings: Settings) -> Vendor | None:
    """None where the offline brain answers."""
    return next((vendor for vendor in VENDORS if vendor.is_set(settings)), None)
