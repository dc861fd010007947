"""Tests of ``wayword.loaders.wikipedia.dump``."""
