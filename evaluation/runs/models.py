"""The tables of the ledger, as SQLAlchemy is told them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, Double, ForeignKey, Index, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

KIND, KEY, STATE, PROCESS = 20, 64, 20, 300


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, in databases that know no zones as well."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """As it is stored."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """As it is read."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Tables(DeclarativeBase):
    """All tables of the ledger."""


class RunRow(Tables):
    """One run. ``key`` is the same for runs that must come to the same; ``process`` is who works on it, while somebody does."""

    __tablename__ = "runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(KIND))
    key: Mapped[str] = mapped_column(String(KEY))
    state: Mapped[str] = mapped_column(String(STATE))
    begun: Mapped[datetime] = mapped_column(Moment)
    ended: Mapped[datetime | None] = mapped_column(Moment)
    seed: Mapped[int | None] = mapped_column(BigInteger)
    store: Mapped[str] = mapped_column(Text)
    bases: Mapped[list[Any]] = mapped_column(JSON)
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON)
    versions: Mapped[dict[str, Any]] = mapped_column(JSON)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    process: Mapped[str | None] = mapped_column(String(PROCESS))
    beat: Mapped[datetime | None] = mapped_column(Moment)

    __table_args__ = (Index("runs_by_key", "key"),)


class TraversalRow(Tables):
    """One traversal of a HOP run; ``place`` is that of its starter among the starters."""

    __tablename__ = "traversals"

    run: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    starter: Mapped[str] = mapped_column(Text)
    ending: Mapped[str] = mapped_column(String(STATE))
    hops: Mapped[int]
    cycle: Mapped[int | None]
    last: Mapped[str | None] = mapped_column(Text)
    concreteness: Mapped[float | None] = mapped_column(Double)

    __table_args__ = ({"sqlite_with_rowid": False},)
