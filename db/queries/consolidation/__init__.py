"""Summaries, extraction, rebuilding, notices and the state of that work."""
