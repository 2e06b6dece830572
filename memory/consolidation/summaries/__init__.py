"""Rolling summaries: windows of messages, digests, and the check that they add nothing."""
