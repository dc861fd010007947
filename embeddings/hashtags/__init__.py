"""Vectors of hashtags, which tweets give them."""
