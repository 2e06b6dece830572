"""Facts: storing, versions, sharing, proposals, listings, and the consent that each change needs."""
