"""Finds stored content again, by words and by vectors."""
