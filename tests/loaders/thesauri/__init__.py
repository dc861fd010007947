"""Tests of ``wayword.loaders.thesauri``."""
