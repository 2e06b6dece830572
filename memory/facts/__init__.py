"""Facts: kept, versioned, shared, proposed and listed, with the consent that each change needs."""
