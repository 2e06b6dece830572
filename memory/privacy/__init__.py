"""Privacy: redaction of secrets, encryption, forgetting, export and restore, and the audit of a memory."""
