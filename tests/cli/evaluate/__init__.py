"""Tests of ``wayword evaluate``."""
