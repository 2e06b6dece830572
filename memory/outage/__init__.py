"""What happens while the database is away, and how it is caught up with."""
