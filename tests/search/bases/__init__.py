"""Tests of ``wayword.search.bases``."""
