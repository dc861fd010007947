"""The ledger: what is written is there, what was cut off goes on, and nobody's database is taken for one of ours."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from wayword.evaluation.errors import LedgerError, LedgerMissing, RunUnknown
from wayword.evaluation.runs import recording as recording_module
from wayword.evaluation.runs.database import connect
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.runs.liveness import is_alive, make_mark, remove_mark
from wayword.evaluation.runs.location import display_url, to_url
from wayword.evaluation.runs.migrate import HEAD, VERSION_TABLE, configuration, migration_steps
from wayword.evaluation.runs.models import Tables
from wayword.evaluation.runs.recording import RunRequest
from wayword.evaluation.runs.records import RecordedTraversal
from wayword.search.errors import StartersInvalid

ASKED = RunRequest("hop", {"strategy": "first"}, "graph.lbug", [{"id": "w", "revision": 7}], seed=3)
WALKED = [RecordedTraversal(place, f"Å{place}", "cycle", 3, 2, "Ω", 2.5) for place in range(5)] + [
    RecordedTraversal(5, "x", "limit", 100)
]


def test_a_run_is_a_row_and_its_traversals_are_rows(address: str) -> None:
    with Ledger.open(address) as ledger:
        with ledger.record(ASKED) as recording:
            recording.add(WALKED[:2])
            recording.add(WALKED[2:])
            recording.finish({"hop_value": 1.5, "whole": None})
        (run,) = ledger.runs()
        assert (run.id, run.kind, run.state, run.seed) == (recording.id, "hop", "done", 3)
        assert (run.parameters, run.bases, run.store) == (ASKED.parameters, ASKED.bases, ASKED.store)
        assert run.result == {"hop_value": 1.5, "whole": None}
        assert run.ended is not None
        assert run.ended >= run.begun
        assert run.begun.utcoffset() is not None
        assert run.versions["wayword"]
        assert ledger.run(run.id) == run
        assert list(ledger.walked(run.id)) == WALKED


def test_it_is_all_there_when_it_is_opened_again(address: str) -> None:
    for _ in range(3):
        with Ledger.open(address) as ledger, ledger.record(ASKED) as recording:
            recording.finish({})
    with Ledger.open(address, make=False) as ledger:
        assert [run.id for run in ledger.runs()] == [3, 2, 1]
        assert [run.id for run in ledger.runs(limit=2)] == [3, 2]
        assert ledger.runs("pairs") == []
        with pytest.raises(RunUnknown, match="no run 9"):
            ledger.run(9)


def test_a_run_that_was_cut_off_goes_on(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(KeyboardInterrupt), ledger.record(ASKED) as recording:
            recording.add(WALKED[:3])
            raise KeyboardInterrupt
        assert ledger.run(recording.id).state == "cut off"
        with ledger.record(RunRequest("hop", {"strategy": "second"}, "graph.lbug", [])) as other:
            assert not other.resumed
            other.finish({})
        with ledger.record(ASKED) as again:
            assert (again.id, again.resumed) == (recording.id, True)
            assert list(again.walked()) == WALKED[:3]
            again.add(WALKED[3:])
            again.finish({})
        assert list(ledger.walked(again.id)) == WALKED
        with ledger.record(ASKED) as new:
            assert not new.resumed


def test_what_the_asker_has_to_mend_does_not_go_on(address: str) -> None:
    with Ledger.open(address) as ledger:
        with pytest.raises(StartersInvalid), ledger.record(ASKED) as recording:
            raise StartersInvalid("none")
        assert ledger.run(recording.id).state == "failed"
        with ledger.record(ASKED) as again:
            assert again.id != recording.id


def test_two_at_the_same_time_have_a_run_each(address: str) -> None:
    with Ledger.open(address) as ledger, Ledger.open(address) as other:
        with ledger.record(ASKED) as first, other.record(ASKED) as second:
            assert first.id != second.id
            assert {run.state for run in ledger.runs()} == {"running"}
            first.add(WALKED)
            second.add(WALKED[:1])
            first.finish({})
            second.finish({})
        assert len(list(ledger.walked(second.id))) == 1


KILLED = """
import os, signal, sys
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.runs.liveness import is_alive, make_mark, remove_mark
from wayword.evaluation.runs.records import RecordedTraversal
from wayword.evaluation.runs.recording import RunRequest

asked = RunRequest("hop", {"strategy": "first"}, "graph.lbug", [{"id": "w", "revision": 7}], seed=3)
with Ledger.open(sys.argv[1]) as ledger, ledger.record(asked) as recording:
    recording.add([RecordedTraversal(0, "a", "reached", 1, None, "b")])
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_process_that_is_killed_loses_no_finished_traversal(address: str) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, address], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Ledger.open(address) as ledger:
        assert ledger.run(1).state == "cut off"
        with ledger.record(ASKED) as recording:
            assert recording.resumed
            assert [each.starter for each in recording.walked()] == ["a"]


def test_the_tables_are_those_that_are_declared(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = connect(to_url(address), address)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, Tables.metadata) == []
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar() == HEAD
    engine.dispose()
    assert migration_steps()[0] == HEAD


def test_a_ledger_goes_back_and_forth(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = connect(to_url(address), address)
    with engine.begin() as connection:
        command.downgrade(configuration(connection), "base")
    engine.dispose()
    with Ledger.open(address) as ledger:
        assert ledger.runs() == []


def test_a_table_of_somebody_else_is_left_alone(address: str) -> None:
    engine = connect(to_url(address), address)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE runs (theirs INTEGER)"))
        connection.execute(text("INSERT INTO runs VALUES (1)"))
    with pytest.raises(LedgerError, match="has a table 'runs' that is not wayword's"):
        Ledger.open(address)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT theirs FROM runs")).scalars().all() == [1]
    engine.dispose()


def test_a_ledger_of_a_newer_program_is_refused(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = connect(to_url(address), address)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(LedgerError, match="newer wayword"):
        Ledger.open(address)


def test_who_reads_slowly_stops_nobody_who_writes(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    many = [RecordedTraversal(place, "x", "limit", 100) for place in range(25_000)]
    with Ledger.open(path) as ledger, Ledger.open(path) as reader, ledger.record(ASKED) as recording:
        recording.add(many)
        slow = reader.walked(recording.id)
        next(slow)
        recording.add([RecordedTraversal(25_000, "y", "limit", 100)])
        assert sum(1 for _ in slow) == 25_000


def test_a_ledger_that_only_can_be_read_is_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger, ledger.record(ASKED) as recording:
        recording.finish({})
    path.chmod(0o400)
    with Ledger.open(f"sqlite:///file:{path}?mode=ro&uri=true", make=False) as ledger:
        assert len(ledger.runs()) == 1
        with pytest.raises(LedgerError, match="readonly"), ledger.record(ASKED):
            pass


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("no/such/place.sqlite", "there is no ledger at no/such/place.sqlite"),
        ("sqlite:///no/such/place.sqlite", "there is no ledger"),
    ],
)
def test_reading_makes_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LedgerMissing, match=said):
        Ledger.open(address, make=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("text.txt", "is no SQLite file"),
        (".", "cannot be used|cannot be opened"),
        ("text.txt/runs.sqlite", "cannot be opened"),
        ("oddity://host/db", "knows no database 'oddity'"),
        ("postgresql://me:secret@127.0.0.1:1/db", "cannot be used"),
        ("postgresql://host:port/db", "cannot be read"),
        ("mssql+pyodbc://host/db", "driver"),
    ],
)
def test_what_is_no_ledger_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("not a database, but long enough to look at" * 50)
    with pytest.raises(LedgerError, match=said) as caught:
        Ledger.open(address)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert (tmp_path / "text.txt").read_text().startswith("not a database")


def test_passwords_are_not_shown() -> None:
    assert display_url(to_url("postgresql://me:secret@host/db")) == "postgresql+psycopg://me:***@host/db"


def test_an_sqlite_file_is_what_others_can_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger, ledger.record(ASKED) as recording:
        recording.add(WALKED)
        recording.finish({})
    with sqlite3.connect(path) as connection:
        asked = "SELECT ending, count(*), avg(hops) FROM traversals JOIN runs ON id = run GROUP BY ending"
        assert connection.execute(asked).fetchall() == [("cycle", 5, 3.0), ("limit", 1, 100.0)]
    connection.close()


def test_a_process_that_is_gone_is_not_taken_for_alive() -> None:
    made = make_mark()
    assert is_alive(made, None)
    host, pid, begun, token = made.split(":")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not is_alive(f"{host}:{ended.pid}:{begun}:{token}", None)
    assert not is_alive(f"{host}:{pid}:{begun}:another", None)  # an earlier process that had our number
    assert not is_alive(f"{host}:{os.getppid()}:1:{token}", None)  # the number of one that began at another time
    assert not is_alive(f"elsewhere:{pid}:{begun}:{token}", None)
    assert is_alive(f"elsewhere:{pid}:{begun}:{token}", datetime.now(UTC))
    remove_mark(made)
    assert not is_alive(made, None)


def test_a_run_is_heard_of_while_it_has_nothing_to_write(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_module, "BEAT", 0.05)
    with Ledger.open(address) as ledger, ledger.record(ASKED) as recording:
        beats = set()
        for _ in range(100):
            with ledger._engine.connect() as connection:
                beats.add(connection.execute(text("SELECT beat FROM runs")).scalar())
            if len(beats) > 2:
                break
            time.sleep(0.05)
        assert len(beats) > 2
        recording.finish({})


def test_who_was_taken_over_writes_no_more(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(LedgerError), ledger.record(ASKED) as first:
            with ledger._engine.begin() as connection:
                connection.execute(text("UPDATE runs SET process = 'elsewhere:1:1:a', beat = '2020-01-01 00:00:00'"))
            with ledger.record(ASKED) as second:
                assert second.id == first.id
                second.add(WALKED[:1])
                with pytest.raises(LedgerError, match="taken over"):
                    first.add(WALKED[:1])
                with pytest.raises(LedgerError, match="taken over"):
                    first.finish({})
                second.finish({"of": "second"})
            raise LedgerError("as the first one would")
        assert (ledger.run(first.id).state, ledger.run(first.id).result) == ("done", {"of": "second"})


def test_trouble_with_the_database_cuts_a_run_off(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(LedgerError), ledger.record(ASKED):
            raise LedgerError("the server was restarted")
        assert ledger.run(1).state == "cut off"
        with ledger.record(ASKED) as again:
            assert again.resumed


@pytest.mark.parametrize("name", ["password", "sslpassword", "access_token"])
def test_secrets_in_options_are_not_shown(name: str) -> None:
    assert "s3cret" not in display_url(to_url(f"postgresql://me@host/db?{name}=s3cret&sslmode=require"))
