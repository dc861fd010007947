"""The tables of the ledger, as SQLAlchemy models."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Double, ForeignKey, Index, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

KIND_LENGTH, KEY_LENGTH, STATE_LENGTH, OWNER_LENGTH = 20, 64, 20, 300


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC, also in databases without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a time for the database."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a time from the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Tables(DeclarativeBase):
    """The base class of all tables."""


class RunRow(Tables):
    """One run.

    - ``key``: identifies the request, so that an interrupted run can be resumed
    - ``owner``, ``heartbeat``: while the run is being recorded, its owner and the time of the last heartbeat
    """

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(KIND_LENGTH))
    key: Mapped[str] = mapped_column(String(KEY_LENGTH))
    state: Mapped[str] = mapped_column(String(STATE_LENGTH))
    begun: Mapped[datetime] = mapped_column(UtcDateTime)
    ended: Mapped[datetime | None] = mapped_column(UtcDateTime)
    seed: Mapped[int | None] = mapped_column(BigInteger)
    store: Mapped[str] = mapped_column(Text)
    bases: Mapped[list[Any]] = mapped_column(JSON)
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    versions: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    owner: Mapped[str | None] = mapped_column(String(OWNER_LENGTH))
    heartbeat: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (Index("runs_by_key", "key"), {"sqlite_autoincrement": True})  # a deleted number is never used again


class TraversalRow(Tables):
    """One traversal of a HOP run; ``position`` is that of its starter in the list of starters."""

    __tablename__ = "traversals"

    run: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    starter: Mapped[str] = mapped_column(Text)
    ending: Mapped[str] = mapped_column(String(STATE_LENGTH))
    hops: Mapped[int]
    cycle: Mapped[int | None]
    last: Mapped[str | None] = mapped_column(Text)
    concreteness: Mapped[float | None] = mapped_column(Double)

    __table_args__ = ({"sqlite_with_rowid": False},)


class TrialRow(Tables):
    """One trial of a tuning; ``position`` counts them in the order in which they were proposed."""

    __tablename__ = "trials"

    run: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    fold: Mapped[int | None]
    training: Mapped[float] = mapped_column(Double)
    held_out: Mapped[float | None] = mapped_column(Double)
    point: Mapped[dict[str, float]] = mapped_column(JSON)

    __table_args__ = ({"sqlite_with_rowid": False},)
