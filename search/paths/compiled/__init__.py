"""The search from both ends, compiled by numba: the same paths as ``paths.bidirectional`` finds."""
