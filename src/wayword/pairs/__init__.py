"""Score files of pairs: read rows, score them in one process or several, write them in order, and record the run."""
