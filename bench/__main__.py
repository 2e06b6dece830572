"""`make bench`: all benchmarks, one after the other; the slow end of latency is run by hand."""

<<<<<<< HEAD
from bench import cache, facts, latency, recall, start, tokens
=======
from bench import facts, latency, load, recall, start, tokens
>>>>>>> 5a3c2f9 (The load is measured with the other benchmarks, and the changelog says what people notice of an outage)

start.main()
facts.main()
tokens.main()
recall.main([])
cache.main([])
latency.main(["--sizes", "1000,10000,100000"])
load.main([])
