"""How a forked process ends that was never asked to close the store its parent had open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wayword.graph.embedded import EmbeddedStore

from .graphs import animals, base

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "child", ["store.bases()", "store.cypher('RETURN 1')", "store.close()", "del store", "next(rows)", "None"]
)
def test_a_fork_ends_quietly_and_takes_nothing_with_it(tmp_path: Path, child: str) -> None:
    path = tmp_path / "graph"
    EmbeddedStore(path).replace(base(), animals())
    script = f"""
import os, sys
from wayword.graph.embedded import EmbeddedStore
store = EmbeddedStore({str(path)!r})
store.bases()
rows = store.stream_nodes("Synset")
next(rows)
store.cypher("RETURN 1")
statements = store._sandbox._child._process
process = os.fork()
if process == 0:
    try:
        {child}
    except StopIteration:
        pass
    sys.exit(0)
print(os.waitpid(process, 0)[1], statements.poll(), store.cypher("MATCH (s:Synset) RETURN count(*)").rows)
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout.strip(), run.stderr) == ("0 None ((4,),)", "")
