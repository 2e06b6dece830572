"""Settings by what they are about; `memory/settings.py` joins them into one object."""
