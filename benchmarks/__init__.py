"""Measurements of Zapomni: each prints a table and writes its figures as JSON."""
