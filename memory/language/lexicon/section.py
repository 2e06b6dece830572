"""The shape of a section of a language's data file: a key that it does not know is an error, not silence."""

from pydantic import BaseModel, ConfigDict


class LexiconSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
