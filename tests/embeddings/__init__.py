"""Tests of ``wayword.embeddings``."""
