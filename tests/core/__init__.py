"""Tests of ``wayword.core``."""
