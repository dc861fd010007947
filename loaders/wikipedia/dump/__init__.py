"""A dump of a wiki: its bytes become pages, in parallel where the format allows."""
