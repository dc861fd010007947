"""Tests of ``wayword.search``."""
