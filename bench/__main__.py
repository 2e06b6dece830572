"""`make bench`: all benchmarks, one after the other."""

from bench import facts, start

BENCHMARKS = (start, facts)

for benchmark in BENCHMARKS:
    benchmark.main()
