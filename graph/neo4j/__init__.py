"""The server engine: a store on a Neo4j server, through the official driver."""
