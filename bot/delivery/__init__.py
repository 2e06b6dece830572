"""Durable inbox and delivery: an update is written down first, and answered once."""
