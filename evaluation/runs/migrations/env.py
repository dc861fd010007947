"""The environment in which Alembic runs the migrations; ``migrate`` passes the open connection."""

from __future__ import annotations

from alembic import context

from wayword.evaluation.runs.migrate import VERSION_TABLE  # noqa: TID251
from wayword.evaluation.runs.models import Tables  # noqa: TID251 - Alembic runs this file by its path

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Tables.metadata, version_table=VERSION_TABLE
)
with context.begin_transaction():
    context.run_migrations()
