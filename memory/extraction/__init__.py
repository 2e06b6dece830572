"""What is drawn from a conversation without anybody's order: whether it tells something, what it is about."""
