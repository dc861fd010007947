"""``wayword evaluate`` and ``wayword sheets`` as people type them."""
