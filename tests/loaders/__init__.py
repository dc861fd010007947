"""Tests of ``wayword.loaders``."""
