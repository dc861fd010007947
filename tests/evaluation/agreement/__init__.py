"""Tests of ``wayword.evaluation.agreement``."""
