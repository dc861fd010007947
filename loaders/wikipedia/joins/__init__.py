"""Join the rows of a dump: resolve redirects, count the senses of labels, link categories, and write the graph's tables."""
