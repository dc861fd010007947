"""Tests of ``wayword.loaders.wikipedia``."""
