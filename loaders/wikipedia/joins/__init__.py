"""Joins over the rows of a dump: redirects, labels with their senses, categories, and the tables of the graph."""
