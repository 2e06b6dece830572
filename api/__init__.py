"""The daemon: REST API, MCP endpoint and review page, on the same memory as the bot."""
