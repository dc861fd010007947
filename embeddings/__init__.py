"""Vectors of words, alone and in their context. Knows neither ``graph`` nor ``search``."""
