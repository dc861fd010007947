"""The import of the embedded engine."""

from __future__ import annotations

import subprocess
import sys


def test_a_signal_while_the_library_of_the_engine_is_loaded_is_heard_afterwards() -> None:
    """Its Python modules load the library in C++ when it is first asked for something."""
    program = """
import importlib
import signal
import sys

from wayword.graph.ladybug.engine import import_engine

load = importlib.import_module

def interrupt(name, package=None):
    if name == "._lbug":
        print("loading")
        signal.raise_signal(signal.SIGINT)
    return load(name, package)

importlib.import_module = interrupt
try:
    import_engine()
except KeyboardInterrupt:
    print("interrupted", "ladybug._lbug" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "loading\ninterrupted True\n", "")


def test_threads_that_need_the_engine_at_the_same_time_wait_until_it_is_loaded() -> None:
    program = """
import importlib
import sys
import threading
import time

from wayword.graph.ladybug.engine import import_engine

load = importlib.import_module

def load_slowly(name, package=None):
    if name == "._lbug":
        time.sleep(0.3)
    return load(name, package)

importlib.import_module = load_slowly
found = []
threads = [threading.Thread(target=lambda: found.append((import_engine().Database, "ladybug._lbug" in sys.modules)))
           for _ in range(4)]
for thread in threads:
    thread.start()
    time.sleep(0.05)
for thread in threads:
    thread.join()
print(len(found), all(loaded for _, loaded in found))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "4 True\n", "")
