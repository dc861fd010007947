"""Tests of ``wayword.evaluation``."""
