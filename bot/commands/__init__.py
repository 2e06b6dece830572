"""Slash commands, shared by all front ends; `registry.py` lists them."""
