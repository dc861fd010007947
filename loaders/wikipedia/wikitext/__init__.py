"""Parse the wikitext of a page: mask its markup, and extract its links in reading order."""
