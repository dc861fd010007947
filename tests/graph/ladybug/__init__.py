"""Tests of ``wayword.graph.ladybug``."""
