"""Matchers that score a pair of phrases, as baselines beside wayword."""
