"""Numbers, dates and times in words."""
