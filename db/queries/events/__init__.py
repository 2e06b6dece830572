"""Events, conversations, posts in external chats, and the inbox."""
