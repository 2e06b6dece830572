"""MCP server for other agents: seven tools, over HTTP at `/mcp` and over stdio."""
