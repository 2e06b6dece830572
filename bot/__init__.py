"""Chat front ends: `telegram/` and `terminal/`. Another one would be a further folder that uses `Chat`."""
