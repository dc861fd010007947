"""Score files of pairs: rows are read, scored in order, in one process or several, written, and recorded as a run."""
