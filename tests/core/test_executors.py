"""Process pools and signals."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_signal_while_a_process_of_a_pool_starts_ends_the_program_without_noise(number: int) -> None:
    """The first process that is started is multiprocessing's own; the others are the pool's."""
    program = f"""
import signal
from multiprocessing import util
from wayword.cli.signals import Terminated, handle_signals
from wayword.core.executors import start_processes

started, spawn = [], util.spawnv_passfds

def interrupt(*arguments):
    process = spawn(*arguments)
    started.append(process)
    if len(started) == {number}:
        signal.raise_signal(signal.SIGTERM)
    return process

if __name__ == "__main__":
    util.spawnv_passfds = interrupt
    handle_signals()
    try:
        with start_processes(2):
            print("started")
    except Terminated as error:
        print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "ended by SIGTERM\n", "")


@pytest.mark.slow
def test_an_error_while_a_process_sends_a_large_result_ends_the_pool() -> None:
    """Sending takes most of the time of this task."""
    program = """
import time
from wayword.core.executors import start_processes

if __name__ == "__main__":
    for delay in (0.05, 0.1, 0.15, 0.2):
        try:
            with start_processes(1) as executor:
                executor.submit(int).result()
                executor.submit(bytes, 300_000_000)
                time.sleep(delay)
                raise KeyError("stopped")
        except KeyError as error:
            print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "'stopped'\n" * 4, "")
