"""Shows what a HOP experiment gives back: in words, as tables, as a statement."""
