"""Tests of ``wayword.loaders.wikipedia.wikitext``."""
