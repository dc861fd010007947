"""Tests of ``wayword.loaders.wordnet``."""
