"""A wiki's dump becomes batches of nodes and relationships here: reading, scanning, joining; nothing in it knows a database."""
