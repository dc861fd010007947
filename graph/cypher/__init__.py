"""Users' Cypher: the read-only guard, statement parameters, and the values of answers."""
