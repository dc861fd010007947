"""The steps by which a ledger comes to have its tables, oldest first; Alembic goes through them."""
