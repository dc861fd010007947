"""Joins of what was read of a dump: redirects, labels with their senses, categories, and the tables of the graph."""
