"""Erasing, exporting, importing, and the audit log."""
