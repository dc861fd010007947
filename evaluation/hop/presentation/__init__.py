"""Shows the result of a HOP experiment as text, tables and figures."""
