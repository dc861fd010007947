"""Tests of ``wayword.loaders.wikipedia.sql``."""
