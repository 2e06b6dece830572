"""The base model of a section in a language file; unknown keys are errors."""

from pydantic import BaseModel, ConfigDict


class LexiconSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
