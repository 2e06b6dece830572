"""Results of tools that differ from the REST responses: smaller, and explicit about what did not happen."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from api.problems import Problem
from api.schemas.events import OmissionOut, SectionOut
from api.schemas.ledgers import ArtifactOut
from api.schemas.memory import ProposedOut
from memory.ledgers.artifacts import excerpt_lines

MAX_TEXT = 40_000  # bytes; about 10,000 tokens
MAX_BYTES = 200_000  # of a binary artifact
NOT_STORED = "Nothing is stored yet: the user will be asked and decides. Do not say that it is saved; do not ask again."


class AcbOut(BaseModel):
    """A context bundle. If the session has begun, its provenance is stored under its id."""

    acb_id: str
    budget_tokens: int
    token_used_est: int
    sections: list[SectionOut] = Field(description="The sections that are not empty.")
    omissions: list[OmissionOut] = Field(description="What did not fit.")

    @classmethod
    def of(cls, body: dict[str, Any]) -> "AcbOut":
        return cls.model_validate({**body, "sections": [each for each in body["sections"] if each["items"]]})


class ArtifactPartOut(ArtifactOut):
    """Some lines of a text artifact, or all of a binary one."""

    first_line: int | None = None
    last_line: int | None = None
    lines: int | None = Field(None, description="Total number of lines.")
    truncated: bool = Field(False, description="Not all of the requested lines fitted.")


class ProposeOut(ProposedOut):
    """Not stored: the user will be asked."""

    stored: Literal[False] = False
    note: str = NOT_STORED


def part_of(artifact: dict[str, Any], first_line: int, last_line: int | None) -> ArtifactPartOut:
    if artifact["text"] is None:
        if artifact["size"] > MAX_BYTES:
            raise Problem(413, f"This is a binary file of {artifact['size']:,} bytes, too large to show here.")
        return ArtifactPartOut(**artifact)
    part = excerpt_lines(artifact["artifact_id"], artifact["text"], first_line, last_line, MAX_TEXT)
    if not part.text and artifact["text"]:
        raise Problem.about("first_line", f"There are {part.lines} lines.")
    fields = {**artifact, "text": part.text, "first_line": part.first_line, "last_line": part.last_line}
    return ArtifactPartOut(**fields, lines=part.lines, truncated=part.truncated)
