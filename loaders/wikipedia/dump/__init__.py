"""Read the pages of a wiki's dump, in parallel if the format allows it."""
