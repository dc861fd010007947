"""Tests of ``wayword.evaluation.reval``."""
