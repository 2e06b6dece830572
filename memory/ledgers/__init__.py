"""The agent's ledgers: decisions, tasks, artifacts, documents, handoffs and views."""
