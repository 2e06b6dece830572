"""PostgreSQL: tables, queries, transactions, row-level security, the embedded server."""
