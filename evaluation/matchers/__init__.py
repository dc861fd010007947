"""Matchers that score pairs of phrases, as baselines for wayword."""
