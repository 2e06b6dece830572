"""People and their settings, shared spaces, API keys and web sessions."""
