"""Finds facts in what was said, after the reply."""
