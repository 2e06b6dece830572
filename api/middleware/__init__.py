"""ASGI middleware: limits, headers, metrics, unhandled errors and shutdown."""
