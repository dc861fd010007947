"""Tests of the store on a Neo4j server that go beyond the contract."""
