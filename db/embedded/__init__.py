"""PostgreSQL with pgvector in the data folder: started by its first user, shared, stopped after its last."""

from db.embedded.server import EmbeddedServer, join_server

__all__ = ["EmbeddedServer", "join_server"]
