"""Decisions, tasks, artifacts, handoffs and views."""
