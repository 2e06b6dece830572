"""A child that embeds every text as [length, 1], except those whose words tell it how to fail."""

import json
import os
import signal
import sys

print("[[1, 1]]", flush=True)
for line in sys.stdin:
    texts = json.loads(line)
    if "crash" in texts:
        os._exit(1)
    if "hang" in texts:
        signal.pause()
    if "nonsense" in texts:
        print("<html>", flush=True)
        continue
    print(json.dumps([[float("nan") if text == "nan" else len(text), 1] for text in texts]), flush=True)
