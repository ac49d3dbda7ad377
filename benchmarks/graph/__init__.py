"""Benchmarks of the knowledge graph."""
