"""Finding again what was kept."""
