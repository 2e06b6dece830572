"""The agent's tools, listed explicitly and always available.

Each module is a tool, except `base` (what a tool is), `ledger_entries` (shared by decisions and tasks) and `repetition`
(prevents repeated proposals).
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
