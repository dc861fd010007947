"""The embedded engine, LadybugDB: a store in one file, without a server."""
