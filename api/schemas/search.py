"""Search requests and results."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.schemas.memory import MemoryOut
from api.schemas.shared import ScopedIn


class SearchIn(ScopedIn):
    query: str = Field(min_length=1, max_length=2000, description="A question or search words.")
    limit: int = Field(5, ge=1, le=20, description="Maximum number of facts, and of passages.")


class PassageOut(BaseModel):
    """Something that was said, decided or read earlier."""

    id: str = Field(examples=["chk_01M7JX6Q92Y5GJXQVECZN6M81A"])
    by: str = Field(description="The speaker or source.")
    at: datetime
    kind: str
    text: str
    superseded: bool = Field(description="A decision that was replaced by a later one.")
    event_id: str | None
    artifact_id: str | None = Field(description="The artifact that holds the full text, if this is a part.")


class SearchOut(BaseModel):
    """Facts and passages, each with the best match first."""

    facts: list[MemoryOut] = Field(description="Remembered facts about the user.")
    said: list[PassageOut] = Field(description="What was said, decided or read in any conversation.")
    note: str | None = Field(description="Why the search may be incomplete.")
