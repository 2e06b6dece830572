"""What happened: events are prepared, recorded and read again."""
