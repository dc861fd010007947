"""HOP experiments (Molnar, 2022): how many links lead from articles to Philosophy, by strategy, and how strategies compare."""
