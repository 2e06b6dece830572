"""A base model for outside input: an unknown field is an error and not ignored."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

MAX_UNKNOWN = 20


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _limit_unknown(cls, data: Any) -> Any:
        """Keep only the first unknown fields: pydantic reports each one, and there may be a hundred thousand."""
        if not isinstance(data, dict) or len(data) <= len(cls.model_fields) + MAX_UNKNOWN:
            return data
        unknown = [name for name in data if name not in cls.model_fields]
        known = {name: value for name, value in data.items() if name in cls.model_fields}
        return known | dict.fromkeys(unknown[:MAX_UNKNOWN])
