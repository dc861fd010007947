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
