"""WordNet as a base: synsets, found by the base forms of their words."""
