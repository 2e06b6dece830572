"""Who there is: people and their choices, spaces they share, keys and links that let them in."""
