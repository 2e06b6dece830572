"""Background work after the replies: passes that write summaries, extract facts and maintain the data."""
