"""The tools of the agent, always present, written out; nothing is discovered by magic.

A module is a tool, but for three: `base` says what a tool is, `notes` writes down what decisions and tasks have in
common, and `repetition` keeps the tools that propose from asking twice.
"""

from memory.model.tools import (
    add_to_memory,
    forget_memory,
    read_artifact,
    record_decision,
    search_memory,
    update_memory,
    update_task,
)
from memory.model.tools.base import Caller, Tool

TOOLS: tuple[Tool, ...] = (
    add_to_memory.TOOL,
    update_memory.TOOL,
    forget_memory.TOOL,
    search_memory.TOOL,
    record_decision.TOOL,
    update_task.TOOL,
    read_artifact.TOOL,
)

__all__ = ["TOOLS", "Caller", "Tool"]
