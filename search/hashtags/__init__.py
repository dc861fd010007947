"""Synonyms of hashtags, looked up in the store, and how they are shown."""
