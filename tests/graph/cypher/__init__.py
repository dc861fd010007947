"""Tests of ``wayword.graph.cypher``."""
