"""Field types and base models shared by requests and responses."""

from typing import Annotated, Self

from pydantic import BaseModel, Field

from api.caller import Scoping
from memory import Channel
from memory.strict import StrictModel

VISIBLE = r"^[!-~]+$"
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=VISIBLE)]
SingleLine = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
Ref = Annotated[str, Field(min_length=1, max_length=64, pattern=VISIBLE)]
Refs = Annotated[list[Ref], Field(max_length=100)]
Reason = Annotated[str, Field(min_length=1, max_length=1000)]
Reasons = Annotated[list[Reason], Field(max_length=20)]


class RequestBody(StrictModel):
    """Base of all request bodies: unknown fields are rejected."""


class ScopedIn(RequestBody):
    tenant_id: Name | None = Field(None, description="Must be the key's tenant.", examples=["t1"])
    user_id: Name | None = Field(None, description="The user, unless the key is bound to one.", examples=["ada"])
    agent_id: Name | None = Field(None, description="The calling agent, unless the key is bound to one.")
    space_id: Name | None = Field(None, description="A shared space; by default the user's personal space.")
    channel: Channel = Field(Channel.PRIVATE, description="How private the present audience is.")

    @property
    def scoping(self) -> Scoping:
        return Scoping(self.tenant_id, self.user_id, self.agent_id, self.space_id, self.channel)


class SessionIn(ScopedIn):
    session_id: Name = Field(description="A name that you choose for the conversation.", examples=["s1"])


class RowOut(BaseModel):
    """A response read from a row's attributes. A field whose attribute has another name gives it as its alias."""

    @classmethod
    def of(cls, row: object) -> Self:
        return cls.model_validate(row, from_attributes=True)


class PageOut(BaseModel):
    total: int = Field(description="Number of items on all pages.")
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")
