"""Tests of ``wayword.search.scoring``."""
