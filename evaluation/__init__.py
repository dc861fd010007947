"""Measures, baselines and experiments; takes any matcher or vectors."""
