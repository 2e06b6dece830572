"""People, spaces, tenants, keys, sessions and named requests."""
