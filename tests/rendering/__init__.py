"""Tests of ``wayword.rendering``."""
