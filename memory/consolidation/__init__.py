"""Turns many facts and turns into fewer: summaries and drafts, and the guard that holds them to their sources."""
