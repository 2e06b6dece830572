"""What answers: Claude, the offline brain, the loop of tools, tokens and what a call costs."""
