"""Conversational front ends: today the terminal, Telegram beside it later."""
