"""Benchmarks of wayword and its peers, measured in the same run: ``python -m bench`` or ``make bench``."""
