"""Search for the best path between target sets: Algorithms 4 and 5 of the thesis, and faster methods with equal results."""
