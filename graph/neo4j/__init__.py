"""The server engine: a store in Neo4j, through the official driver."""
