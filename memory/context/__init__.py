"""The context of a model call: gathered from rows and rendered deterministically."""
