"""The review page, as far as it needs no database."""
