"""Settings by what they are about; `memory/settings` joins them into one object."""
