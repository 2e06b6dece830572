"""Events: preparing, recording and reading them, and the inbox they arrive in."""
