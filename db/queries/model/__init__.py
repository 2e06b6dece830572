"""Model calls: their bundles and what they cost."""
