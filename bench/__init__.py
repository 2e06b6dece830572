"""Benchmarks: every figure in a document is printed by one of these. Each runs alone as `python -m bench.NAME`."""
