"""Synonyms of hashtags: look them up in the store, compare thesauri, and show them as tables, graphs and pictures."""
