"""The rules of human languages, and one data file for each language. Pure."""
