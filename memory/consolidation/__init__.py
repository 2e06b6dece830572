"""The work after the replies: passes that make digests and find what people told of themselves, each thing once."""
