"""Shows a trail as text, as a picture and as Cypher."""
