"""One handler module per kind of update, called by `bot/telegram/dispatcher.py`."""
