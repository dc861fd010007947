"""The embedded engine, LadybugDB: a store in one file, for which nobody needs a server."""
