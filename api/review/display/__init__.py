"""Formats values for the page: charts, calendars, numbers and diffs."""
