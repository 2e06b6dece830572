"""What stands around every request: limits, headers, counts, faults and the end of the daemon."""
