"""Read the dump of a wiki as batches of nodes and relationships: read pages, scan their wikitext, and join the results."""
