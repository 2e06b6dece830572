"""What a person can type besides talking: /memory, /space and /forget, the same for every front end."""
