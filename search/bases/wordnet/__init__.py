"""The kind of base of a WordNet: synsets, looked up by the base forms of their words."""
