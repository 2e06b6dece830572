"""Benchmarks: what is claimed is measured here."""
