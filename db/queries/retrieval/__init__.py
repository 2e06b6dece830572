"""Chunks, and the search in them."""
