"""The bidirectional search compiled by numba, with the same results as ``paths.bidirectional``."""
