"""Cypher that users write: checked to be read-only, its parameters, and the values that answers hold."""
