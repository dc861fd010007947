"""Tests of ``wayword.search.paths``."""
