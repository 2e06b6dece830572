"""What the tools answer where REST answers otherwise: less at once, and what did not happen is told too."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from api.problems import Problem
from api.schemas.events import OmissionOut, SectionOut
from api.schemas.ledgers import ArtifactOut
from api.schemas.memory import ProposedOut
from memory.ledgers.artifacts import excerpt

MOST_TEXT = 40_000  # bytes; about 10,000 tokens
MOST_BYTES = 200_000  # of what is no text
NOT_STORED = "Nothing is stored yet: the user is asked, and decides. Do not say that it is saved, and do not ask again."


class AcbOut(BaseModel):
    """A bundle for a model to read. How it was made is kept under its id, where the session has begun."""

    acb_id: str
    budget_tokens: int
    token_used_est: int
    sections: list[SectionOut] = Field(description="Those in which there is something.")
    omissions: list[OmissionOut] = Field(description="What did not fit.")

    @classmethod
    def of(cls, body: dict[str, Any]) -> "AcbOut":
        return cls.model_validate({**body, "sections": [each for each in body["sections"] if each["items"]]})


class PartOut(ArtifactOut):
    """Some lines of a text, or all of what is none."""

    first_line: int | None = None
    last_line: int | None = None
    lines: int | None = Field(None, description="How many there are in all.")
    truncated: bool = Field(False, description="More of the lines that were asked for did not fit.")


class AskedOut(ProposedOut):
    """Not stored: the user is asked."""

    stored: Literal[False] = False
    note: str = NOT_STORED


def part_of(artifact: dict[str, Any], first_line: int, last_line: int | None) -> PartOut:
    if artifact["text"] is None:
        if artifact["size"] > MOST_BYTES:
            raise Problem(413, f"That is no text, and its {artifact['size']:,} bytes are too many to show here.")
        return PartOut(**artifact)
    part = excerpt(artifact["artifact_id"], artifact["text"], first_line, last_line, MOST_TEXT)
    if not part.text and artifact["text"]:
        raise Problem.about("first_line", f"There are {part.lines} lines.")
    shown = {**artifact, "text": part.text, "first_line": part.first_line, "last_line": part.last_line}
    return PartOut(**shown, lines=part.lines, truncated=part.truncated)
