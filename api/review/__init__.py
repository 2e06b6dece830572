"""The review page: what its owner sees of their memory, and decides."""
