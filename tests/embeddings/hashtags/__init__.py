"""Tests of ``wayword.embeddings.hashtags``."""
