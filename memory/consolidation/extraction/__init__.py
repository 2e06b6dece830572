"""Extracts facts from messages after the reply."""
