"""The routes of the review page, one module per section."""
