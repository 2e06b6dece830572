"""Rolling summaries: message windows, digests, and the check that they add nothing."""
