"""How updates come in: polled or pushed, parsed one by one, written down first."""
