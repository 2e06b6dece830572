"""What is done with each kind of update; `bot/desk.py` says which goes where."""
