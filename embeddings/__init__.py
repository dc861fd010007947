"""The place of vectors of words, tweets and hashtags; nothing is here yet. Knows neither ``graph`` nor ``search``."""
