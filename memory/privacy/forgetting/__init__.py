"""Forgetting for good: facts, messages that tell the same, and everything made from them."""
