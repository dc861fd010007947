"""The contract tests, which run on every store."""
