"""Tests of ``wayword.search.traversal``."""
