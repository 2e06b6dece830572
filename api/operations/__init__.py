"""What can be asked of the memory from outside; REST and MCP come here alike."""
