"""Reads a thesaurus of hashtags into batches of nodes and relationships."""
