"""Files of pairs: read, scored in parallel and in order, written, and recorded as runs."""
