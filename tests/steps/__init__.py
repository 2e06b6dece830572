"""Counts the steps that a function takes to read a text, so that no clock says how its cost grows."""
