"""Benchmarks. They print every figure that the documentation gives; each runs as `python -m bench.NAME`."""
