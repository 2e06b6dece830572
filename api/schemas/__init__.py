"""The requests and answers of the API, field by field."""
