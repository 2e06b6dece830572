"""The tool that reads some lines of what was too long to stand in a prompt."""

import json

from pydantic import BaseModel, Field

from memory.ledgers import artifacts
from memory.model.tools.base import Caller, Tool

MOST_BYTES = 12_000


class ReadArtifact(BaseModel):
    """Read lines of an artifact: the output of a tool or a file that was too long to show. Answers with those that \
fit, and how many there are."""

    artifact_id: str = Field(max_length=64, description="art_…")
    first_line: int = Field(1, ge=1)
    last_line: int | None = Field(None, ge=1)


async def read_artifact(wish: ReadArtifact, caller: Caller) -> str:
    async with caller.unit(read_only=True) as unit:
        found = await artifacts.read(
            unit, wish.artifact_id, first_line=wish.first_line, last_line=wish.last_line, most_bytes=MOST_BYTES
        )
    caller.touched_sensitive |= found.is_sensitive
    caller.shown |= {found.artifact_id}
    told = {
        "artifact_id": found.artifact_id,
        "first_line": found.first_line,
        "last_line": found.last_line,
        "lines": found.lines,
    }
    return f"{json.dumps(told)}\n{found.text}" if found.text else f"{json.dumps(told)}\n(no such lines)"


TOOL = Tool("read_artifact", ReadArtifact, read_artifact, writes=False)
