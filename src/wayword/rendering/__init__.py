"""Terminal text, tables, LaTeX, vector pictures and plots, independent of what they show."""
