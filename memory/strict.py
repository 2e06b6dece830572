"""A shape that somebody outside fills in: a field that it does not know is an error, not silence."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

MOST_UNKNOWN = 20


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _told_of_a_few(cls, given: Any) -> Any:
        """Every unknown field is an error of its own; of a hundred thousand the first ones say enough."""
        if not isinstance(given, dict) or len(given) <= len(cls.model_fields) + MOST_UNKNOWN:
            return given
        unknown = [name for name in given if name not in cls.model_fields]
        known = {name: value for name, value in given.items() if name in cls.model_fields}
        return known | dict.fromkeys(unknown[:MOST_UNKNOWN])
