"""The claims of sentences: statements, negations, names, and unsupported claims."""
