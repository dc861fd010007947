"""The bidirectional search compiled by numba: the same paths as ``paths.bidirectional`` finds."""
