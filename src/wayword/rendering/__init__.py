"""Text for terminals, tables, LaTeX, vector pictures and plots. Generic: nothing here knows what it shows."""
