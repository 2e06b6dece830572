"""What stands in front of a model: gathered from rows, rendered the same way every time."""
