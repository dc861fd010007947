"""Reads a WordNet, as database files or WN-LMF, into batches of nodes and relationships."""
