"""Permanent forgetting of facts, of messages that repeat them, and of everything derived from them."""
