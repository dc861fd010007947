"""The contract of a store, tried on every store there is."""
