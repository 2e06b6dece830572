"""Durable inbox and delivery: every update is stored first and answered once."""
