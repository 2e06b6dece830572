"""Receiving updates, by polling or webhook: parse each one and store it."""
