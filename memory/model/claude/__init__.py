"""Claude over its Messages API."""
