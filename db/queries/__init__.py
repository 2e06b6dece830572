"""All SQL of the program, one module per table, each function named as the question it answers."""
