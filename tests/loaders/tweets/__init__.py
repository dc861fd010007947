"""Tests of ``wayword.loaders.tweets``."""
