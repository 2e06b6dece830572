"""Telegram: everything that knows a Telegram type."""
