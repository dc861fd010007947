"""Read a WordNet (database files or WN-LMF) as batches of nodes and relationships."""
