"""``wayword hashtags`` as people type it."""
