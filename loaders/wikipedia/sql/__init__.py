"""Read the SQL dumps of a wiki: the tables of category links, link targets and page properties."""
