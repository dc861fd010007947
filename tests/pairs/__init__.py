"""Tests of ``wayword.pairs``."""
