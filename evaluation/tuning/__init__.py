"""Tuning: learn the parameters of a search from human judgements, with scores on judgements held out from the learning.

``objectives`` says what is maximised, ``space`` which parameters vary and how far, ``methods`` how new ones are proposed,
``evaluator`` scores a population of them without touching the store, and ``optimisation`` brings them together.
"""
