"""What is kept, recalled and forgotten. Knows no Telegram and no HTTP."""
