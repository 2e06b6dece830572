"""The routes of the REST API. Each passes its request to an operation."""
