"""The tool that reads lines of an artifact that is too long for a prompt."""

import json

from pydantic import BaseModel, Field

from memory.ledgers import artifacts
from memory.model.tools.base import Caller, Tool

MAX_BYTES = 12_000


class ReadArtifact(BaseModel):
    """Read lines of an artifact: a tool output or file that was too long to show. Returns the lines that fit and the \
total number of lines."""

    artifact_id: str = Field(max_length=64, description="art_…")
    first_line: int = Field(1, ge=1)
    last_line: int | None = Field(None, ge=1)


async def read_artifact(args: ReadArtifact, caller: Caller) -> str:
    async with caller.unit(read_only=True) as unit:
        found = await artifacts.read_lines(
            unit, args.artifact_id, first_line=args.first_line, last_line=args.last_line, most_bytes=MAX_BYTES
        )
    caller.touched_sensitive |= found.is_sensitive
    caller.citable |= {found.artifact_id}
    header = {
        "artifact_id": found.artifact_id,
        "first_line": found.first_line,
        "last_line": found.last_line,
        "lines": found.lines,
    }
    return f"{json.dumps(header)}\n{found.text}" if found.text else f"{json.dumps(header)}\n(no such lines)"


TOOL = Tool("read_artifact", ReadArtifact, read_artifact, writes=False)
