"""Tests of ``wayword.evaluation.hop``."""
