"""HOP's walks over the links of a wiki: strategies, traversals, the functional graph and the Markov chain."""
