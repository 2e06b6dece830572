"""Brings in what other programs wrote down: Telegram's, ChatGPT's and Claude's own exports."""
