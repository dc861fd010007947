"""Read a thesaurus of hashtags as batches of nodes and relationships."""
