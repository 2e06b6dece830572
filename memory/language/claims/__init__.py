"""What sentences claim: statements, negations, names, and what no source has."""
