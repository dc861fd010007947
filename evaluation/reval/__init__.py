"""#REval (Alsini, Huynh and Datta, 2023): how good recommendations of hashtags are, when synonyms count as hits.

``measures`` has the two equations as they are printed, ``evaluating`` the same for millions of lists at once, ``lists`` the
files of them.
"""

WEIGHTS = ("none", "reciprocal", "logarithmic", "linear")
KS = (0, 5, 10, 20, 30, 40, 50, 60, 70)
"""The numbers of synonyms that are tried, as in the paper."""
