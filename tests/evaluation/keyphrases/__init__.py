"""Tests of ``wayword.evaluation.keyphrases``."""
