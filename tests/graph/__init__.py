"""Tests of ``wayword.graph``."""
