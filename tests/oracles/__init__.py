"""A second implementation of the papers' rules, plain and slow and without code of the product, to compare it with."""
