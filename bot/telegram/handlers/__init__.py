"""What is done with each kind of update; `bot/telegram/dispatcher.py` says which goes where."""
