"""`make bench`: all benchmarks, one after the other; the slow end of latency is run by hand."""

from bench import cache, facts, latency, load, recall, start, tokens

start.main()
facts.main()
tokens.main()
recall.main([])
cache.main([])
latency.main(["--sizes", "1000,10000,100000"])
load.main([])
