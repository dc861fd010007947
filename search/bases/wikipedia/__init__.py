"""A wiki as a base: articles and categories, found by the labels that links and titles give them."""
