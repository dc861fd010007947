"""The databases on which the tests of this folder run: SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from wayword.evaluation.runs.location import to_url

from ...support.postgres import postgresql


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgresql() as address:
        yield address


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.server, pytest.mark.xdist_group("postgresql")])]
)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a ledger that does not exist yet."""
    if request.param == "sqlite":
        return str(tmp_path / "runs.sqlite")
    found: str = request.getfixturevalue("server")
    engine = create_engine(to_url(found))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return found
