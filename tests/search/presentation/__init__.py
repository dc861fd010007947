"""Tests of ``wayword.search.presentation``."""
