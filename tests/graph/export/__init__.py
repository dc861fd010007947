"""Tests of ``wayword.graph.export``."""
