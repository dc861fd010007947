"""The kind of base of a wiki: articles and categories, looked up by the labels that links and titles give them."""
