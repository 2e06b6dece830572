"""Reads numbers, dates and times from text."""
