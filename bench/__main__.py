"""`make bench`: all benchmarks, one after the other."""

from bench import start

BENCHMARKS = (start,)

for benchmark in BENCHMARKS:
    benchmark.main()
