"""HOP (Molnar, 2022): how many links from an article to Philosophy, when each next link is chosen by some idea of meaning.

``world`` is ``wayword.search.world``: the articles of a loaded wiki and the links that each begins with. A strategy chooses
one of them (``strategies``); a traversal goes on until it ends (``walking``); of all strategies but random, all traversals of a
wiki together are one functional graph (``functional``), and random has an exact distribution (``chain``).
"""

STRATEGIES = ("random", "first", "second", "wordnet", "vectors", "contextual")
