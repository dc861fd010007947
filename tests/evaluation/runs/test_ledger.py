"""The ledger: committed rows persist, interrupted runs resume, and databases of other programs are left alone."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from wayword.evaluation.errors import LedgerError, LedgerMissing, RunUnknown
from wayword.evaluation.runs import recording as recording_module
from wayword.evaluation.runs.database import make_engine
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.runs.liveness import create_owner, is_alive, release_owner
from wayword.evaluation.runs.location import display_url, to_url
from wayword.evaluation.runs.migrate import HEAD, VERSION_TABLE, list_revisions, make_alembic_config
from wayword.evaluation.runs.models import Tables
from wayword.evaluation.runs.recording import RunRequest
from wayword.evaluation.runs.records import RecordedTraversal, RecordedTrial
from wayword.search.errors import StartersInvalid

REQUEST = RunRequest("hop", {"strategy": "first"}, "graph.lbug", [{"id": "w", "revision": 7}], seed=3)
TRAVERSALS = [RecordedTraversal(position, f"Å{position}", "cycle", 3, 2, "Ω", 2.5) for position in range(5)] + [
    RecordedTraversal(5, "x", "limit", 100)
]


def test_a_run_and_its_traversals_are_recorded(address: str) -> None:
    with Ledger.open(address) as ledger:
        with ledger.record(REQUEST) as recording:
            recording.add(TRAVERSALS[:2])
            recording.add(TRAVERSALS[2:])
            recording.finish({"hop_value": 1.5, "whole": None})
        (run,) = ledger.runs()
        assert (run.id, run.kind, run.state, run.seed) == (recording.id, "hop", "done", 3)
        assert (run.parameters, run.bases, run.store) == (REQUEST.parameters, REQUEST.bases, REQUEST.store)
        assert run.result == {"hop_value": 1.5, "whole": None}
        assert run.ended is not None
        assert run.ended >= run.begun
        assert run.begun.utcoffset() is not None
        assert run.versions["wayword"]
        assert ledger.run(run.id) == run
        assert list(ledger.traversals(run.id)) == TRAVERSALS


def test_runs_persist_when_the_ledger_is_opened_again(address: str) -> None:
    for _ in range(3):
        with Ledger.open(address) as ledger, ledger.record(REQUEST) as recording:
            recording.finish({})
    with Ledger.open(address, create=False) as ledger:
        assert [run.id for run in ledger.runs()] == [3, 2, 1]
        assert [run.id for run in ledger.runs(limit=2)] == [3, 2]
        assert ledger.runs("pairs") == []
        with pytest.raises(RunUnknown, match="no run 9"):
            ledger.run(9)


def test_an_interrupted_run_is_resumed(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(KeyboardInterrupt), ledger.record(REQUEST) as recording:
            recording.add(TRAVERSALS[:3])
            raise KeyboardInterrupt
        assert ledger.run(recording.id).state == "interrupted"
        with ledger.record(RunRequest("hop", {"strategy": "second"}, "graph.lbug", [])) as other:
            assert not other.is_resumed
            other.finish({})
        with ledger.record(REQUEST) as again:
            assert (again.id, again.is_resumed) == (recording.id, True)
            assert list(again.traversals()) == TRAVERSALS[:3]
            again.add(TRAVERSALS[3:])
            again.finish({})
        assert list(ledger.traversals(again.id)) == TRAVERSALS
        with ledger.record(REQUEST) as new:
            assert not new.is_resumed


def test_trials_are_recorded_in_order_and_deleted_with_their_run(address: str) -> None:
    trials = [
        RecordedTrial(0, 1, 0.5, 0.25, {"sim": 0.1, "der": 1.0}),
        RecordedTrial(1, None, 0.75, None, {"sim": 0.2, "der": 0.0}),
    ]
    with Ledger.open(address) as ledger:
        with ledger.record(RunRequest("tuning", {}, "graph.lbug", [])) as recording:
            assert recording.count_trials() == 0
            for each in trials:
                recording.add_trials([each])
            assert recording.count_trials() == 2
            recording.finish({})
        assert list(ledger.trials(recording.id)) == trials
        ledger.check()
        ledger.delete(recording.id)
        assert list(ledger.trials(recording.id)) == []


def test_a_run_that_failed_by_an_error_of_the_user_is_not_resumed(address: str) -> None:
    with Ledger.open(address) as ledger:
        with pytest.raises(StartersInvalid), ledger.record(REQUEST) as recording:
            raise StartersInvalid("none")
        assert ledger.run(recording.id).state == "failed"
        with ledger.record(REQUEST) as again:
            assert again.id != recording.id


def test_two_processes_with_the_same_request_have_a_run_each(address: str) -> None:
    with Ledger.open(address) as ledger, Ledger.open(address) as other:
        with ledger.record(REQUEST) as first, other.record(REQUEST) as second:
            assert first.id != second.id
            assert {run.state for run in ledger.runs()} == {"running"}
            first.add(TRAVERSALS)
            second.add(TRAVERSALS[:1])
            first.finish({})
            second.finish({})
        assert len(list(ledger.traversals(second.id))) == 1


KILLED = """
import os, signal, sys
from wayword.evaluation.runs.ledger import Ledger
from wayword.evaluation.runs.records import RecordedTraversal
from wayword.evaluation.runs.recording import RunRequest

request = RunRequest("hop", {"strategy": "first"}, "graph.lbug", [{"id": "w", "revision": 7}], seed=3)
with Ledger.open(sys.argv[1]) as ledger, ledger.record(request) as recording:
    recording.add([RecordedTraversal(0, "a", "reached", 1, None, "b")])
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_killed_process_loses_no_recorded_traversal(address: str) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, address], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Ledger.open(address) as ledger:
        assert ledger.run(1).state == "interrupted"
        with ledger.record(REQUEST) as recording:
            assert recording.is_resumed
            assert [each.starter for each in recording.traversals()] == ["a"]


def test_migrations_create_the_declared_tables(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = make_engine(to_url(address), address)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, Tables.metadata) == []
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar() == HEAD
    engine.dispose()
    assert list_revisions()[0] == HEAD


def test_columns_of_stored_ledgers_keep_their_names(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = make_engine(to_url(address), address)
    with engine.connect() as connection:
        columns = {table: [each["name"] for each in inspect(connection).get_columns(table)] for table in Tables.metadata.tables}
    engine.dispose()
    assert columns == {
        "runs": ["id", "kind", "key", "state", "begun", "ended", "seed", "store", "bases", "parameters", "versions", "result",
                 "owner", "heartbeat"],
        "traversals": ["run", "position", "starter", "ending", "hops", "cycle", "last", "concreteness"],
        "trials": ["run", "position", "fold", "training", "held_out", "point"],
    }  # fmt: skip


def test_migrations_can_be_undone_and_repeated(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = make_engine(to_url(address), address)
    with engine.begin() as connection:
        command.downgrade(make_alembic_config(connection), "base")
    engine.dispose()
    with Ledger.open(address) as ledger:
        assert ledger.runs() == []


def test_a_table_of_another_program_is_left_alone(address: str) -> None:
    engine = make_engine(to_url(address), address)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE runs (theirs INTEGER)"))
        connection.execute(text("INSERT INTO runs VALUES (1)"))
    for create in (False, True):
        with pytest.raises(
            (LedgerError, LedgerMissing), match=r"has a table 'runs' that is not|is not a ledger|there is no ledger"
        ):
            Ledger.open(address, create=create)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT theirs FROM runs")).scalars().all() == [1]
    engine.dispose()


def test_a_ledger_of_a_newer_wayword_is_an_error(address: str) -> None:
    with Ledger.open(address):
        pass
    engine = make_engine(to_url(address), address)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(LedgerError, match="newer wayword"):
        Ledger.open(address)


def test_a_slow_reader_blocks_no_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    many = [RecordedTraversal(position, "x", "limit", 100) for position in range(25_000)]
    with Ledger.open(path) as ledger, Ledger.open(path) as reader, ledger.record(REQUEST) as recording:
        recording.add(many)
        slow = reader.traversals(recording.id)
        next(slow)
        recording.add([RecordedTraversal(25_000, "y", "limit", 100)])
        assert sum(1 for _ in slow) == 25_000


def test_a_read_only_ledger_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger, ledger.record(REQUEST) as recording:
        recording.finish({})
    path.chmod(0o400)
    with Ledger.open(f"sqlite:///file:{path}?mode=ro&uri=true", create=False) as ledger:
        assert len(ledger.runs()) == 1
        with pytest.raises(LedgerError, match="readonly"), ledger.record(REQUEST):
            pass


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("no/such/place.sqlite", "there is no ledger at no/such/place.sqlite"),
        ("sqlite:///no/such/place.sqlite", "there is no ledger"),
    ],
)
def test_reading_creates_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LedgerMissing, match=message):
        Ledger.open(address, create=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("text.txt", "is not a ledger of wayword"),
        (".", "is not a ledger of wayword"),
        ("sqlite:///file:text.txt?mode=rw&uri=true", "is not a ledger of wayword"),
        ("text.txt/runs.sqlite", "cannot be opened"),
        ("oddity://host/db", "has no driver for 'oddity'"),
        ("postgresql://me:secret@127.0.0.1:1/db", "cannot be used"),
        ("postgresql://host:port/db", "cannot be parsed"),
        ("mssql+pyodbc://host/db", "driver"),
    ],
)
def test_a_file_or_url_that_is_no_ledger_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("not a database, but long enough to look at" * 50)
    with pytest.raises(LedgerError, match=message) as caught:
        Ledger.open(address)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert (tmp_path / "text.txt").read_text().startswith("not a database")


def test_passwords_are_masked() -> None:
    assert display_url(to_url("postgresql://me:secret@host/db")) == "postgresql+psycopg://me:***@host/db"


def test_a_ledger_can_be_queried_with_sql(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger, ledger.record(REQUEST) as recording:
        recording.add(TRAVERSALS)
        recording.finish({})
    with sqlite3.connect(path) as connection:
        query = "SELECT ending, count(*), avg(hops) FROM traversals JOIN runs ON id = run GROUP BY ending"
        assert connection.execute(query).fetchall() == [("cycle", 5, 3.0), ("limit", 1, 100.0)]
    connection.close()


def test_a_run_is_alive_only_while_its_process_runs() -> None:
    owner = create_owner()
    assert is_alive(owner, None)
    host, pid, started, token = owner.split(":")
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not is_alive(f"{host}:{ended.pid}:{started}:{token}", None)
    assert not is_alive(f"{host}:{pid}:{started}:another", None)  # an earlier process with our id
    assert not is_alive(f"{host}:{os.getppid()}:1:{token}", None)  # another process with this id
    assert not is_alive(f"elsewhere:{pid}:{started}:{token}", None)
    assert is_alive(f"elsewhere:{pid}:{started}:{token}", datetime.now(UTC))
    release_owner(owner)
    assert not is_alive(owner, None)


def test_heartbeats_are_written_while_no_traversal_ends(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_module, "HEARTBEAT_INTERVAL", 0.05)
    with Ledger.open(address) as ledger, ledger.record(REQUEST) as recording:
        heartbeats = set()
        for _ in range(100):
            with ledger._engine.connect() as connection:
                heartbeats.add(connection.execute(text("SELECT heartbeat FROM runs")).scalar())
            if len(heartbeats) > 2:
                break
            time.sleep(0.05)
        assert len(heartbeats) > 2
        recording.finish({})


def test_a_process_that_lost_its_run_writes_nothing(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(LedgerError), ledger.record(REQUEST) as first:
            with ledger._engine.begin() as connection:
                connection.execute(text("UPDATE runs SET owner = 'elsewhere:1:1:a', heartbeat = '2020-01-01 00:00:00'"))
            with ledger.record(REQUEST) as second:
                assert second.id == first.id
                second.add(TRAVERSALS[:1])
                with pytest.raises(LedgerError, match="another process has claimed run 1"):
                    first.add(TRAVERSALS[:1])
                with pytest.raises(LedgerError, match="another process has claimed run 1"):
                    first.finish({})
                second.finish({"of": "second"})
            raise LedgerError("as the first one would")
        assert (ledger.run(first.id).state, ledger.run(first.id).result) == ("done", {"of": "second"})


def test_a_run_is_interrupted_by_an_error_of_the_database(address: str) -> None:
    with Ledger.open(address) as ledger:
        with suppress(LedgerError), ledger.record(REQUEST):
            raise LedgerError("the server was restarted")
        assert ledger.run(1).state == "interrupted"
        with ledger.record(REQUEST) as again:
            assert again.is_resumed


@pytest.mark.parametrize("name", ["password", "sslpassword", "access_token"])
def test_secrets_in_url_options_are_masked(name: str) -> None:
    assert "s3cret" not in display_url(to_url(f"postgresql://me@host/db?{name}=s3cret&sslmode=require"))


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    "content", [b"", b"x", b"SQLite format 3", b"a note " * 1_000], ids=["empty", "byte", "cut off", "text"]
)
def test_a_file_that_wayword_did_not_write_is_left_alone(tmp_path: Path, content: bytes, create: bool) -> None:
    path = tmp_path / "note"
    path.write_bytes(content)
    for address in (str(path), f"sqlite:///{path}", f"sqlite:///file:{path}?uri=true"):
        with pytest.raises(LedgerError, match="is not a ledger of wayword"):
            Ledger.open(address, create=create)
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["note"]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("table", ["theirs", None])
def test_an_sqlite_file_of_another_program_is_left_alone(tmp_path: Path, create: bool, table: str | None) -> None:
    path = tmp_path / "places.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (a)")
        if table is None:
            connection.execute("DROP TABLE theirs")
    connection.close()
    content = path.read_bytes()
    with pytest.raises(LedgerError, match="is not a ledger of wayword"):
        Ledger.open(str(path), create=create)
    assert path.read_bytes() == content


def test_a_pipe_is_refused_without_waiting_for_its_other_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LedgerError, match="is not a ledger"):
        Ledger.open(str(tmp_path / "pipe"))


def test_reading_creates_no_tables(address: str) -> None:
    with pytest.raises(LedgerMissing):
        Ledger.open(address, create=False)
    if "://" in address:
        engine = make_engine(to_url(address), address)
        with engine.connect() as connection:
            assert inspect(connection).get_table_names() == []
        engine.dispose()


def test_many_processes_create_one_ledger(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"

    def record(_: int) -> int:
        with Ledger.open(str(path)) as ledger, ledger.record(REQUEST) as recording:
            recording.finish({})
            return recording.id

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(record, range(8))) == list(range(1, 9))
    assert [each.name for each in tmp_path.iterdir()] == ["runs.sqlite"]


@pytest.mark.slow
def test_a_locked_ledger_is_reported_within_seconds(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger:
        lock = sqlite3.connect(path, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
        for call in (lambda: Ledger.open(str(path), create=False), ledger.runs, lambda: ledger.record(REQUEST).__enter__()):
            start = time.monotonic()
            with pytest.raises(LedgerError, match="another program has locked the ledger"):
                call()
            assert time.monotonic() - start < 20
        lock.close()


def test_deleted_runs_are_gone_and_their_numbers_are_not_used_again(address: str) -> None:
    with Ledger.open(address) as ledger:
        for _ in range(3):
            with ledger.record(REQUEST) as recording:
                recording.add(TRAVERSALS)
                recording.finish({})
        with pytest.raises(RunUnknown, match="no run 9"):
            ledger.delete(2, 9)
        assert [run.id for run in ledger.runs()] == [3, 2, 1]
        assert len(list(ledger.traversals(2))) == len(TRAVERSALS)
        ledger.delete(2, 3)
        assert [run.id for run in ledger.runs()] == [1]
        assert list(ledger.traversals(2)) == []
        assert len(list(ledger.traversals(1))) == len(TRAVERSALS)
        with ledger.record(REQUEST) as recording:
            assert recording.id == 4
            with pytest.raises(RunUnknown, match=r"run 4 .* is still being recorded"):
                ledger.delete(1, 4)
            recording.finish({})
        assert [run.id for run in ledger.runs()] == [4, 1]


def _damage(content: bytes, random_numbers: random.Random) -> bytes:
    if random_numbers.random() < 0.3:
        return content[: random_numbers.randrange(len(content))]
    damaged = bytearray(content)
    for _ in range(random_numbers.choice([1, 3, 30])):
        damaged[random_numbers.randrange(len(damaged))] = random_numbers.randrange(256)
    return bytes(damaged)


@pytest.mark.slow
def test_a_damaged_ledger_raises_errors_of_one_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Ledger.open(str(path)) as ledger:
        for number in range(3):
            with ledger.record(replace(REQUEST, parameters={"strategy": "first", "number": number})) as recording:
                recording.add(TRAVERSALS)
                recording.finish({"hop_value": 1.5})
    content, random_numbers, refused = path.read_bytes(), random.Random(5), list[str]()
    for _ in range(300):
        path.write_bytes(_damage(content, random_numbers))
        try:
            with Ledger.open(str(path), create=False) as ledger:
                for run in ledger.runs():
                    run.to_dict()
                    list(ledger.traversals(run.id))
                with ledger.record(REQUEST) as recording:
                    recording.add(TRAVERSALS)
        except LedgerError as error:
            refused.append(str(error))
    assert len(refused) > 50
    assert not any("\n" in message for message in refused)
