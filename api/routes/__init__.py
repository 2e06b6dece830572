"""The paths of the REST API; each hands its request to an operation."""
