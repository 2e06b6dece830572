"""The operations behind REST and MCP."""
