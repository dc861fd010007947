"""Best-first search over a view, from one side or from both, in Python and compiled."""
