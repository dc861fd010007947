"""Tune the parameters of a search to human judgements, and measure them on held-out judgements.

- ``objectives``: the figures that are maximised
- ``space``: the parameters that vary, and their bounds
- ``methods``: how new points of the space are proposed
- ``evaluator``: scores a population of parameters without touching the store
- ``optimisation``: runs a method on each fold and on all judgements
"""
