"""Threads, child processes and deadlines."""
