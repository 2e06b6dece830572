"""The daemon: REST, MCP and the review page, over the same memory as the bot."""
