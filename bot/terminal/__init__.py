"""The chat in the terminal or over a pipe."""
