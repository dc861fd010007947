"""What a process that was forked may not use: the threads, pipes and connections of the process that it was forked from.

Threads do not come along with a fork, and a pipe or a connection has two owners after it. So whoever has such things is told
in the new process, before anything else runs there, and begins anew; what he had is left alone.
"""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forked(Protocol):
    """Whoever has something that a fork makes useless."""

    def forked(self) -> None:
        """Begin anew, in a process that was just forked from the one that has everything that was opened so far."""


_told: weakref.WeakSet[Forked] = weakref.WeakSet()


def tell(owner: Forked) -> None:
    """Have ``owner.forked()`` called in every process that is forked from this one."""
    _told.add(owner)


def keep(thing: object) -> None:
    """Never destroy this, not even when the process ends: it would wait for threads that are not there."""
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _tell_all() -> None:
    for owner in list(_told):
        owner.forked()


os.register_at_fork(after_in_child=_tell_all)
