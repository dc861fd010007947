"""Tests of ``wayword.search.hashtags``."""
