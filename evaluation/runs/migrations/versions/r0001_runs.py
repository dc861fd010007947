"""Create the tables of runs and traversals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True)),
        sa.Column("seed", sa.BigInteger),
        sa.Column("store", sa.Text, nullable=False),
        sa.Column("bases", sa.JSON, nullable=False),
        sa.Column("parameters", sa.JSON, nullable=False),
        sa.Column("versions", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("owner", sa.String(300)),
        sa.Column("heartbeat", sa.DateTime(timezone=True)),
        sqlite_autoincrement=True,
    )
    op.create_index("runs_by_key", "runs", ["key"])
    op.create_table(
        "traversals",
        sa.Column("run", sa.Integer, sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("starter", sa.Text, nullable=False),
        sa.Column("ending", sa.String(20), nullable=False),
        sa.Column("hops", sa.Integer, nullable=False),
        sa.Column("cycle", sa.Integer),
        sa.Column("last", sa.Text),
        sa.Column("concreteness", sa.Double),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("traversals")
    op.drop_table("runs")
