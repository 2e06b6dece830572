"""`make bench`: runs all benchmarks in turn, except the largest size of latency."""

from bench import cache, consolidation, facts, latency, load, rebuild, recall, scale, start, tokens

start.main()
facts.main()
tokens.main()
recall.main([])
cache.main([])
consolidation.main([])
latency.main(["--sizes", "1000,10000,100000"])
rebuild.main([])
load.main([])
scale.main()
