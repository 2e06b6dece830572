"""What many requests and answers share: names, pages, and for whom a call is."""

from typing import Annotated, Self

from pydantic import BaseModel, Field

from api.caller import Scoping
from memory import Channel
from memory.strict import Strict

VISIBLE = r"^[!-~]+$"
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=VISIBLE)]
Line = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
Ref = Annotated[str, Field(min_length=1, max_length=64, pattern=VISIBLE)]
Refs = Annotated[list[Ref], Field(max_length=100)]
Reason = Annotated[str, Field(min_length=1, max_length=1000)]
Reasons = Annotated[list[Reason], Field(max_length=20)]


class In(Strict):
    """A request."""


class ScopedIn(In):
    tenant_id: Name | None = Field(None, description="Must be the key's own.", examples=["t1"])
    user_id: Name | None = Field(None, description="For whom, where the key is not one person's.", examples=["ada"])
    agent_id: Name | None = Field(None, description="Which agent, where the key is not one agent's.")
    space_id: Name | None = Field(None, description="A shared space; without it the user's own.")
    channel: Channel = Field(Channel.PRIVATE, description="How private the present audience is.")

    @property
    def scoping(self) -> Scoping:
        return Scoping(self.tenant_id, self.user_id, self.agent_id, self.space_id, self.channel)


class SessionIn(ScopedIn):
    session_id: Name = Field(description="The conversation, by a name of your own.", examples=["s1"])


class RowOut(BaseModel):
    """An answer whose fields are those of a row; one that has another name there says which, as its alias."""

    @classmethod
    def of(cls, row: object) -> Self:
        return cls.model_validate(row, from_attributes=True)


class PageOut(BaseModel):
    total: int = Field(description="How many there are in all.")
    next_cursor: str | None = Field(description="Ask with it for the next page; null on the last.")
