"""What a person can type besides talking, the same for every front end; `registry.py` lists it."""
