"""The SQL dumps of a wiki: the tables of category and page links, as far as the joins need them."""
