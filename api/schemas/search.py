"""What is looked for in the memory, and what is found."""

from datetime import datetime

from pydantic import BaseModel, Field

from api.schemas.memory import MemoryOut
from api.schemas.shared import ScopedIn


class SearchIn(ScopedIn):
    query: str = Field(min_length=1, max_length=2000, description="The question, or the words to look for.")
    limit: int = Field(5, ge=1, le=20, description="Most of each.")


class SaidOut(BaseModel):
    """Something that was said, decided or read before."""

    id: str = Field(examples=["chk_01M7JX6Q92Y5GJXQVECZN6M81A"])
    by: str = Field(description="Who said it, or where it comes from.")
    at: datetime
    kind: str
    text: str
    superseded: bool = Field(description="A decision that no longer holds.")
    event_id: str | None
    artifact_id: str | None = Field(description="What holds all of it, where this is a part.")


class SearchOut(BaseModel):
    """Both best first."""

    facts: list[MemoryOut] = Field(description="What is remembered about the user.")
    said: list[SaidOut] = Field(description="What was said, decided or read, in any conversation.")
    note: str | None = Field(description="Why more may be there than was found.")
