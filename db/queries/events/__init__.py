"""Events, conversations, posts in chats outside, and the inbox."""
