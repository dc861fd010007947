"""The migrations of the ledger, run by Alembic."""
