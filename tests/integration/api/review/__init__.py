"""The review page over HTTP."""
