"""Front ends for chatting: `telegram/` and `terminal/`. A further one is a folder beside them that uses `Chat`."""
