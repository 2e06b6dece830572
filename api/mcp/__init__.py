"""The memory for other agents over MCP: seven tools, at `/mcp` of the daemon and over standard input and output."""
